"""
The resolver of names: enters a name as somebody wrote it, leaves a table or a column, or what it
may have meant.

`resolver` says which tables a name may mean. What is made of it depends on who wrote the name: a
name of a judge is repaired where one thing alone can be meant (`repair`), a person gets an error
with the choices (`lookup`), SQL of others may stay ambiguous (`linker.lineage.tables`), and a probe
is held to the letter (`linker.guard.known`).
"""
