"""Words that carry no claim of their own, and words that say the same.

A sentence is borne out when the words that matter are: "is located in", "a total of", "according to" may be
said in other words. English stop words never become terms at all; for the other languages the little words
are listed here, negations left out on purpose, since those matter.

Same words are general English; a group holds only words that may stand for each other in a report of facts.
"""

from functools import cache

from tabwise.core.text.terms import terms

_LIGHT_TEXT = {
    "en": """
        according accordingly actually additionally almost already approximately around based became become
        becomes began begin begins begun besides called came cause come comes consequently contain contains
        currently described due especially even eventually example finally find found furthermore gave
        generally get gets give given gives got hence however importantly include included includes including
        indeed initially known like likewise located made mainly make makes making mean means meanwhile
        moreover much namely nearly nevertheless nonetheless notably now number numbered often page part
        particularly passage percent provide provided provides recently report reported reports roughly said
        say says several show showed shown shows similarly source specifically start started state stated
        states still text therefore thus together took total typically use used uses using usually various
        well went work works further another others one ones onto upon within among until since though
        although while whereas because per via us note there here yet ever whose
    """,
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber in im an am auf aus bei beim
        mit
        nach seit von vom zu zum zur für über unter um durch gegen bis als wie wenn da dass daß weil ist sind
        war waren wird werden wurde wurden worden sein hat haben hatte hatten kann können konnte soll sollen
        muss müssen es er sie ihr ihre ihren ihrer seine seiner seinen sich man auch so sehr etwa rund noch
        dort hier dieser diese dieses diesen diesem jede jeder jedes damit dafür dazu sowie also zwischen dann
        laut gemäß dabei denen deren dessen welche welcher welches was
    """,
    "fr": """
        le la les un une des du de et ou mais dans en à au aux avec par pour sur sous chez vers comme que qui
        quoi dont où ce cet cette ces se sa son ses leur leurs il elle ils elles on lui est sont était étaient
        été être sera ont avait avaient peut peuvent aussi ainsi donc alors très environ selon entre depuis
        pendant lors si car cela lorsque afin tout tous toute toutes ne plus
    """,
    "es": """
        el la los las un una unos unas y o u pero en de del al a con por para sobre entre desde hasta como que
        quien cual cuyo donde se su sus lo le les él ella ellos es son era eran fue fueron ser sido está están
        ha han había puede pueden también así muy según cuando si esto este esta estos estas ese esa cada
        unos alrededor todo todos toda todas más
    """,
    "ru": """
        в во на с со и или а но к ко по из от до для о об при за над под у около между через как что чтобы
        который которая которое которые его ее её их это этот эта эти был была было были является являются
        быть также же составляет составляла составил составила составило человек человека том тому том он она
        оно они где когда чем если так
    """,
}
_SAME_TEXT = """
beat defeat
big large
begin start commence
end finish conclude
build construct
buy purchase acquire
city town municipality
company firm corporation
doctor physician
drug medicine
film movie
help assist aid
hold contain
human people person inhabitant resident population
illness disease
job post position
lead head
let allow permit
maker manufacturer
near close
nearly almost
need require
occur happen
percent percentage
quick fast rapid
rise increase grow climb
fall decrease decline drop
sell sold
show demonstrate
smart clever
speed velocity
stop cease
teacher instructor
today now currently
try attempt
unite combine merge
vehicle car
wide broad
write wrote written author
year annual annually yearly
month monthly
week weekly
day daily
win won victory
publish release
create make produce
find discover
found establish
choose select elect
buy bought
build built
give gave given
get got obtain
hold held
keep kept
leave left
lose lost
meet met
pay paid
rise rose risen
say said state
see saw seen
send sent
speak spoke spoken
spend spent
stand stood
take took taken
think thought
grow grew grown
fall fell fallen
fly flew flown
draw drew drawn
drive drove driven
break broke broken
choose chose chosen
become became
come came
run ran
sink sank sunk
swim swam swum
throw threw thrown
wear wore worn
teach taught
bring brought
catch caught
fight fought
seek sought
man men
woman women
child children
foot feet
epicenter epicentre
center centre
color colour
meter metre
kilometer kilometre
liter litre
program programme
license licence
defense defence
organize organise
recognize recognise
analyze analyse
american america usa
british britain kingdom
chinese china
danish denmark
dutch netherlands holland
english england
finnish finland
french france
german germany
greek greece
indian india
irish ireland
italian italy
japanese japan
norwegian norway
polish poland
portuguese portugal
russian russia
scottish scotland scots
spanish spain
swedish sweden
swiss switzerland
turkish turkey
welsh wales
"""


@cache
def light_terms(language: str) -> frozenset[str]:
    """Return the terms of a language that carry no claim."""
    words = _LIGHT_TEXT.get(language, "").split()
    return frozenset(term for word in words for term in terms(word, language))


def same_terms(term: str) -> frozenset[str]:
    """Return the English terms that may stand for a term, without itself; none for most."""
    return _SAME_TERMS.get(term, frozenset())


def _same() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in _SAME_TEXT.strip().splitlines():
        group = frozenset(term for word in line.split() for term in terms(word))
        for term in group:
            table[term] = table.get(term, frozenset()) | group - {term}
    return table


_SAME_TERMS = _same()
