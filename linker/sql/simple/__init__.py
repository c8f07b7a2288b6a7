"""
A writer of simple statements without a language model: enters a question and its linked schema, leaves one statement.

question -> tokens -> chunks (what each part may mean) -> frame (what is asked) -> one meaning a part -> statement

It knows counts, sums, averages, least and most, groups, conditions with values that were found, periods and orders. It
says what each part was taken for, and which words it has no meaning for: with any of these left, nothing is certain.
"""
