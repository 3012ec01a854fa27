"""What holds for every suite: no test is judged by its time, machines and runtimes differ too much."""

from hypothesis import settings

from tabwise.adapters.native.messages import messages
from tabwise.ui import words

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

words.load(messages())
