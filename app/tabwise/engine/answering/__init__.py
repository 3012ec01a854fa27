"""From a question to a checked answer.

pipeline   the order of things: plan, retrieve, judge, write or pick sentences, check
retrieval  the searches of a plan, and at most one more
extracting, comparing   sentences of pages, without a model
writing    a model's text, sentence by sentence, each with its span and verdict
reading    whole pages for a summary
each       one answer a page
trace      what was done, for the receipt; replaying runs its searches again
"""
