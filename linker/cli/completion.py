"""`linker completion`: the script by which a shell completes its commands and options."""

import click


@click.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """
    Print the script by which SHELL completes commands and options.

    \b
    Examples:
      linker completion bash > ~/.local/share/bash-completion/completions/linker
      linker completion zsh > "${fpath[1]}/_linker"
      linker completion fish > ~/.config/fish/completions/linker.fish
    """
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    if complete:
        click.echo(complete(ctx.find_root().command, {}, "linker", "_LINKER_COMPLETE").source())
