"""Who thinks in which step: enters the setting `judges`, leaves a judge a step."""

from collections.abc import Mapping

from linker.budget import Ledger
from linker.environment import Environment
from linker.errors import ConfigError
from linker.link.judges.base import STEPS, Judge, Step
from linker.link.trace import Trace
from linker.link.traced_model import TracedSession
from linker.models import ModelSession
from linker.names.repair import Names

_MODEL, _PROFILES = "model", "profiles"


def chosen_minds(
    environment: Environment, reserve: Judge, names: Names, ledger: Ledger, trace: Trace
) -> dict[Step, Judge]:
    """The judge of each step; without a model all are the reserve."""
    wishes = wished(environment.settings.judges or "", has_model=environment.model is not None)
    if _MODEL not in wishes.values():
        return dict.fromkeys(STEPS, reserve)
    from linker.link.judges.language import LanguageJudge

    if environment.model is None:
        raise ConfigError("`judges` names the language model, and there is none", hint="set `model` to provider:name")
    session = ModelSession(environment.model, ledger, max_concurrent_calls=environment.settings.model_concurrency)
    language = LanguageJudge(TracedSession(session, trace), names, environment.profile_of)
    return {step: language if wish == _MODEL else reserve for step, wish in wishes.items()}


def wished(setting: str, *, has_model: bool) -> Mapping[Step, str]:
    """What `model`, or `tables=profiles,columns=profiles`, means for each step; the usual judge takes the others."""
    usual = _MODEL if has_model else _PROFILES
    if setting.strip() in (_MODEL, _PROFILES):
        return dict.fromkeys(STEPS, setting.strip())
    wishes: dict[Step, str] = dict.fromkeys(STEPS, usual)
    for part in filter(None, (one.strip() for one in setting.split(","))):
        name, _, judge = (one.strip() for one in part.partition("="))
        step = next((one for one in STEPS if one == name), None)
        if step is None or judge not in (_MODEL, _PROFILES):
            raise ConfigError(
                f"`judges` is not valid at `{part}`",
                hint=f"write `{_MODEL}`, `{_PROFILES}`, or step=judge, with a step of {', '.join(STEPS)}",
            )
        wishes[step] = judge
    return wishes
