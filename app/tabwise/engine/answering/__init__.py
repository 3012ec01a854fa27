"""From a question to a checked answer.

pipeline    the order of things: plan, retrieve, judge, write or pick sentences, check
question    what is asked, of which pages, by which engine
retrieval   the searches of a plan, and at most one more
extracting, comparing, reading   sentences of pages, a table of them, whole pages: without a model
prompting, calling, writing      a prompt that fits, the call, the text sentence by sentence
weighing    the bundled model chooses among sentences
checking    each sentence with the span that bears it out, and its verdict
each        one answer a page
trace       what was done, for the receipt; replaying runs its searches again
records     all of it as messages
"""
