"""The standing of schemes and their code, independent of measurements: status, strength, constant
time, maturity.
"""

from __future__ import annotations

import datetime
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from motebench.advise.choice.candidate import AGAINST, NONE, UNJUDGED, Broken, SchemeOffer, Standing
from motebench.advise.choice.question import PUBLIC_KEY, ChoiceQuestion, Demands, Need
from motebench.advise.reference.table import ShownFlow, shown_flow
from motebench.base.model import Scheme
from motebench.catalog import algorithm_of, schemes
from motebench.catalog.devices import Device
from motebench.catalog.libraries import Maturity, library_of, maturity_of, weakest_of
from motebench.catalog.lookup import block_bits_of
from motebench.catalog.policies import choice, claim, policy
from motebench.catalog.schema import AlgorithmKind, SecurityVerdict
from motebench.catalog.schema import Status as Said
from motebench.documents.choice import NEEDLESS
from motebench.results.presentation.schemes import SchemeStatus, statuses

_OF_CATEGORY = {1: 128, 2: 128, 3: 192, 4: 192, 5: 256}
"""Bits of the search or collision that a category of NIST compares with: keys of AES-128, AES-192,
AES-256 (1, 3, 5), collisions of SHA-256 and SHA-384 (2, 4)."""


@dataclass(frozen=True, slots=True)
class SchemeStanding:
    """The part of a `Standing` that is of one scheme, by whatever code.

    ``lowered``: an announced verdict puts it behind others; ``block_bits``: None if it is no block
    cipher.
    """

    tier: int
    words: str
    lowered: bool
    strength_bits: int | None
    block_bits: int | None
    broken: tuple[Broken, ...]
    later: bool


def _tier_of(schemes: Sequence[SchemeStanding], bits: int | None) -> tuple[int, list[str]]:
    """Worst tier of these schemes, and the reasons; ``bits``: their least known strength."""
    tier = max(scheme.tier for scheme in schemes)
    reasons = [scheme.words for scheme in schemes]
    if any(scheme.lowered for scheme in schemes):
        tier = max(tier, UNJUDGED)
    weak = choice().weak
    if bits is not None and bits < weak.below_bits:
        tier = max(tier, AGAINST)
        reasons.append(f"{bits} bits are fewer than the {weak.below_bits} of {weak.source}")
    limit = choice().small_block.below_bits
    short = [
        scheme.block_bits
        for scheme in schemes
        if scheme.block_bits is not None and scheme.block_bits < limit
    ]
    if short:
        tier = max(tier, UNJUDGED)
        reasons.append(f"blocks of {min(short)} bits")
    return tier, reasons


class Standings:
    """The standing of schemes and implementations under the demands of a question, each computed
    once. ``device``: flows of secrets that were shown for it count; None: claims alone do.
    """

    def __init__(
        self, demands: Demands, names: Sequence[str], device: Device | None = None
    ) -> None:
        self.demands, self.device = demands, device
        self.names = list(names)
        catalog = schemes()
        self._standings: dict[tuple[tuple[str, str, bool], ...], Standing] = {}
        self._of_schemes: dict[str, SchemeStanding] = {}
        self._flows: dict[tuple[str, str], ShownFlow | None] = {}
        self._schemes = {name: catalog[name] for name in names if name in catalog}
        self._statuses = {
            name: status
            for status in statuses(self._schemes, demands.day)
            for name in status.schemes
        }

    @classmethod
    def of(cls, question: ChoiceQuestion, offers: Sequence[SchemeOffer]) -> Standings:
        """Those of the schemes of these offers: the same ones for the same demands and device,
        whatever else of a question varies."""
        demands, device = question.demands, question.scene.device
        names = [offer.scheme for offer in offers]
        for recent in tuple(_RECENT):  # another thread may add to them
            place = recent.device.id if recent.device else None
            if recent.demands is demands and recent.names == names and place == device.id:
                return recent
        _RECENT.appendleft(cls(demands, names, device))
        return _RECENT[0]

    def scheme(self, name: str) -> Scheme | None:
        """The scheme of that name; None if the catalog does not have it."""
        return self._schemes.get(name)

    def status(self, name: str) -> SchemeStatus:
        """The verdict that applies today."""
        return self._statuses[name]

    def standing(self, offers: Sequence[SchemeOffer]) -> Standing:
        """Standing of one scheme, or the worse of two together."""
        key = tuple((offer.scheme, offer.implementation, offer.outdated) for offer in offers)
        if key not in self._standings:
            self._standings[key] = self._standing_of(offers)
        return self._standings[key]

    def _standing_of(self, offers: Sequence[SchemeOffer]) -> Standing:
        schemes = [self._of_scheme(offer.scheme) for offer in offers]
        bits = [scheme.strength_bits for scheme in schemes]
        lowest = min((count for count in bits if count is not None), default=None)
        tier, reasons = _tier_of(schemes, lowest)
        broken = [
            (*scheme.broken, *self._broken_by_code(offer))
            for scheme, offer in zip(schemes, offers, strict=True)
        ]
        return Standing(
            tier=tier,
            words=tuple(dict.fromkeys(reasons)),
            strength_bits=lowest if None not in bits else None,
            constant_time=self._constant_time(offers),
            secret_flow=self._secret_flow(offers),
            maturity=max(_maturity(offer) for offer in offers),
            made_by=tuple(
                dict.fromkeys(_made_by(offer) for offer in offers if offer.implementation != NONE)
            ),
            broken=tuple(limit for limits in broken for limit in limits),
            later=any(scheme.later for scheme in schemes),
        )

    def _of_scheme(self, name: str) -> SchemeStanding:
        if name not in self._of_schemes:
            scheme = self._schemes[name]
            self._of_schemes[name] = SchemeStanding(
                tier=self._tier(name),
                words=self._words(name),
                lowered=any(self._lowers(entry) for entry in self._coming(name)),
                strength_bits=self._strength(name),
                block_bits=block_bits_of(algorithm_of(scheme), scheme),
                broken=tuple(self._broken(name)),
                later=self._later(name),
            )
        return self._of_schemes[name]

    def _constant_time(self, offers: Sequence[SchemeOffer]) -> str | None:
        """Claims of constant time; None if an implementation has none, or one is refuted."""
        if not self.demands.secret:
            return NEEDLESS
        claims = [None if self._refuted(offer) else claim(offer.implementation) for offer in offers]
        statements = [entry.statement for entry in claims if entry is not None]
        return "; ".join(dict.fromkeys(statements)) if len(statements) == len(claims) else None

    def _shown(self, offer: SchemeOffer) -> ShownFlow | None:
        if self.device is None:
            return None
        key = (offer.scheme, offer.implementation)
        if key not in self._flows:
            self._flows[key] = shown_flow(self.device, *key)
        return self._flows[key]

    def _refuted(self, offer: SchemeOffer) -> bool:
        """True if a secret was shown to reach time in it."""
        flow = self._shown(offer)
        return flow is not None and flow.reaches

    def _secret_flow(self, offers: Sequence[SchemeOffer]) -> ShownFlow | None:
        """Verdict on the secrets of all offers; None if those of one were not followed, and no
        other has an error."""
        if not self.demands.secret:
            return None
        verdicts = [self._shown(offer) for offer in offers]
        wrong = next((flow for flow in verdicts if flow is not None and flow.reaches), None)
        return verdicts[0] if wrong is None and None not in verdicts else wrong

    def _later(self, name: str) -> bool:
        """True if classical schemes come first: it is post-quantum, and the policy does not list it
        for use alone.

        Only signatures of messages: whoever makes or checks them, with certificates and tools of
        today, is classical. ``until`` rejects the classical ones that end before, so nothing comes
        before the others then. The key that checks updates stays as long as the device, and
        agreements and KEMs do not compete with each other.
        """
        permit = self.demands.policy.permit(name)
        if self.demands.need is not Need.SIGNATURE or (permit is not None and not permit.hybrid):
            return False
        scheme = self._schemes[name]
        return algorithm_of(scheme).category(scheme) is not None

    def _strength(self, name: str) -> int | None:
        """Bits of strength of a scheme; else those of its post-quantum category, or of a shorter
        key of the same algorithm.
        """
        of_status = self._statuses[name].strength_bits
        scheme = self._schemes[name]
        if of_status is not None or self.demands.need not in PUBLIC_KEY:
            return of_status
        algorithm = algorithm_of(scheme)
        if category := algorithm.category(scheme):
            return _OF_CATEGORY[category]
        shorter = [
            bits
            for key, bits in algorithm.security.bits.items()
            if key.isdigit() and int(key) <= (scheme.bits or 0)
        ]
        return max(shorter, default=None)

    def _lowers(self, entry: Said) -> bool:
        """True if an announced verdict puts a scheme behind others. Drafts about public keys do not
        by themselves: they are against all that have results today, and the horizon is the question
        of ``--until``.
        """
        if entry.draft and self.demands.need in PUBLIC_KEY:
            return False
        return entry.verdict not in policy("current").admits

    def _tier(self, name: str) -> int:
        level = self._statuses[name].level
        if level == "good" and not self._recommended(name):
            return UNJUDGED
        return {"good": 0, "none": UNJUDGED, "bad": AGAINST, "worst": AGAINST + 1}[level]

    def _recommended(self, name: str) -> bool:
        """True if a body whose verdicts are recommendations approves of it."""
        scheme = self._schemes[name]
        if self._odd_mode(name):
            return False
        return any(
            entry.body in choice().recommending.bodies
            and entry.verdict in (SecurityVerdict.APPROVED, SecurityVerdict.ACCEPTABLE)
            for entry in algorithm_of(scheme).statuses_on(self.demands.day, scheme)
        )

    def _odd_mode(self, name: str) -> bool:
        """True if it is a block cipher in a mode that no body approves of whose verdicts are
        recommendations.
        """
        scheme = self._schemes[name]
        of_blocks = algorithm_of(scheme).kind is AlgorithmKind.BLOCK_CIPHER
        return (
            of_blocks and scheme.mode is not None and scheme.mode not in choice().recommending.modes
        )

    def _coming(self, name: str) -> list[Said]:
        """Verdicts that are announced for a later date."""
        scheme = self._schemes[name]
        announced = algorithm_of(scheme).statuses_on(datetime.date.max, scheme)
        return [entry for entry in announced if entry.since > self.demands.day]

    def _words(self, name: str) -> str:
        status = self._statuses[name]
        coming = "".join(f"; {_announced(entry)}" for entry in self._coming(name))
        if status.verdict == "none" and not status.body:
            return f"{status.algorithm}: no body has judged it{coming}"
        listed = ""
        if status.level == "good" and not self._recommended(name):
            listed = " (a listing, no recommendation)"
            if self._odd_mode(name):
                listed = (
                    f", but the mode {self._schemes[name].mode} is neither NIST's nor of an RFC"
                )
        permit = self.demands.policy.permit(name)
        permitted = f"; {self.demands.policy.title}, {permit.words}" if permit else ""
        return (
            f"{status.algorithm}: {status.words} since {status.date}, "
            f"{status.body}{listed}{coming}{permitted}"
        )

    def _broken(self, name: str) -> list[Broken]:
        """The limits that a scheme breaks by any code."""
        scheme, status = self._schemes[name], self._statuses[name]
        demands = self.demands
        broken = []
        if status.verdict not in demands.policy.admits:
            problem = f"{self._words(name)}: {status.statement}"
            broken.append(Broken("policy", problem, option="--policy legacy"))
        elif reason := self._lacks_approval(scheme):
            broken.append(Broken("policy", reason, option="--policy current"))
        if ending := self._ends(name):
            broken.append(Broken("until", ending, option="--until"))
        bits = self._strength(name)
        if demands.strength_bits and (bits is None or bits < demands.strength_bits):
            problem = (
                "the catalog has no strength for it" if bits is None else f"{bits} bits of strength"
            )
            problem += f", but --strength asks for {demands.strength_bits}"
            broken.append(
                Broken("strength", problem, demands.strength_bits, bits, "bits", "--strength")
            )
        return broken

    def _broken_by_code(self, offer: SchemeOffer) -> list[Broken]:
        """The limits that an implementation breaks with every scheme; none without an
        implementation.
        """
        implementation, demands = offer.implementation, self.demands
        broken = []
        if implementation == NONE:
            return []
        if demands.protect_key and not implementation.startswith("element/"):
            reason = "its key is in flash or RAM of the processor, where it can be read"
            broken.append(Broken("protect-key", reason, option="--protect-key"))
        if demands.constant_time and claim(implementation) is None:
            reason = f"no source claims that {implementation} is constant time"
            broken.append(Broken("constant-time", reason, option="--constant-time"))
        elif demands.constant_time and (flow := self._shown(offer)) is not None and flow.reaches:
            broken.append(Broken("constant-time", flow.words, option="--constant-time"))
        if not demands.research and maturity_of(implementation, offer.scheme) is Maturity.RESEARCH:
            library = weakest_of(implementation, offer.scheme)
            reason = (
                f"{implementation} is {library.maintained.statement if library else 'research'}"
            )
            if library is not library_of(implementation) and library is not None:
                reason = (
                    f"{implementation} contains code of {library.name}, which is "
                    f"{library.maintained.statement}"
                )
            broken.append(Broken("maturity", reason, option="--include research"))
        return broken

    def _ends(self, name: str) -> str | None:
        """Verdict that the policy does not admit and that holds before the end of service; None
        without one.
        """
        until, policy = self.demands.until, self.demands.policy
        permit = policy.permit(name)
        if (
            until is not None
            and permit is not None
            and permit.until is not None
            and permit.until < until
        ):
            return f"{policy.title}, {permit.words}, and the service is to last until {until}"
        admits = policy.admits
        bad = [
            e
            for e in self._coming(name)
            if until is not None and e.since <= until and e.verdict not in admits
        ]
        if not bad:
            return None
        return (
            f"{algorithm_of(self._schemes[name]).name}: {_announced(bad[0])}, and the service is "
            f"to last until {until}"
        )

    def _lacks_approval(self, scheme: Scheme) -> str | None:
        policy = self.demands.policy
        if policy.permits:
            permit = policy.permit(scheme.name)
            if permit is None:
                return f"{policy.title} does not list {scheme.name}"
            if permit.until is not None and permit.until < self.demands.day:
                return f"{policy.title}, {permit.words}"
        if policy.body is None:
            return None
        algorithm = algorithm_of(scheme)
        verdicts = algorithm.statuses_on(self.demands.day, scheme)
        if not any(
            entry.body == policy.body and entry.verdict in policy.wants for entry in verdicts
        ):
            return f"{policy.body} has not approved {algorithm.name}"
        if (
            policy.modes
            and algorithm.kind is AlgorithmKind.BLOCK_CIPHER
            and scheme.mode not in policy.modes
        ):
            return f"{policy.body} has not approved the mode {scheme.mode}"
        return None


_RECENT: deque[Standings] = deque(maxlen=4)
"""Standings that `Standings.of` gave, the last one first."""


def _announced(entry: Said) -> str:
    """A verdict of a later date."""
    verdict = f"{entry.verdict} {entry.scope}" if entry.scope else str(entry.verdict)
    return f"{verdict} from {entry.date} on, {entry.body}{' (draft)' if entry.draft else ''}"


def _maturity(offer: SchemeOffer) -> Maturity:
    least = Maturity.OUTDATED if offer.outdated else Maturity.REVIEWED
    return max(least, maturity_of(offer.implementation, offer.scheme))


def _made_by(offer: SchemeOffer) -> str:
    """Facts of the library, as a sentence."""
    library = library_of(offer.implementation)
    return (
        "; ".join(library.words)
        if library
        else f"{offer.implementation}: nothing is known of its maturity"
    )
