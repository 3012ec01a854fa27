"""Language models whose tokens are picked here: prompts, choices, endings, likelihoods. Pure."""
