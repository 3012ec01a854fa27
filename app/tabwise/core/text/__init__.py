"""Characters, words, sentences, stems and languages; addresses."""
