"""From the text items of a PDF to a page: what a PDF draws has places, but no lines, order or paragraphs.

capture      what a PDF reader hands over: text items with their places, page by page
segments     items of one line joined to runs of text; sideways text turned upright or left out
columns      the runs of a page in reading order
lines        runs beside each other are one line, or the cells of a table
furniture    running heads, running feet and page numbers left out
paragraphs   lines joined to paragraphs, headings, list items and rows
page         one text with its blocks, and for each its page number and box
passages     the way back: which items show a passage of that text
"""
