"""Language models of other machines and programs, behind ports.LanguageModel."""
