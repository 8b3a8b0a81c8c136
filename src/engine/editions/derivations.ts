/**
 * Desired states that are kept while their rows stay the same: deriving one renders the whole estate, and a deploy asks for
 * the same one several times, as what it would be and as what it then is.
 */
import { hasSameDigest } from '../../kernel/digest.ts'
import { isSameIn } from '../../model/domain/field-changes.ts'
import { OUTSIDE_FIELDS } from '../../model/domain/record.ts'
import type { Intent, IntentRow } from '../../model/intent.ts'
import type { Artifact } from '../../ports/store.ts'
import type { AnyBlueprint, Codec } from '../target.ts'

interface Derived {
  readonly intent: Intent
  readonly desired: Promise<unknown>
}

/** By artifact what the working edition wants, and for as long as somebody else holds it what would be released. */
export class Derivations {
  readonly #alike = new AlikeIntents()
  readonly #working = new Map<string, Derived>()
  readonly #prospects = new Map<string, { readonly intent: Intent; readonly desired: WeakRef<object> }>()

  /** The intent with the same rows that was seen first: what others keep by intent is found by it. */
  alike(prospect: Intent): Intent {
    return this.#alike.of(prospect, 'prospect')
  }

  working(blueprint: AnyBlueprint, rows: Intent): Promise<unknown> {
    const { artifact } = blueprint
    const intent = this.#alike.of(rows, 'working')
    const kept = this.#working.get(artifact)
    if (kept?.intent === intent) return kept.desired
    const prospect = this.#prospects.get(artifact)
    const known = prospect?.intent === intent ? prospect.desired.deref() : undefined
    const derived = {
      intent,
      desired: known ? Promise.resolve(known) : desiredOf(blueprint, intent),
    }
    this.#working.set(artifact, derived)
    // A failure is not kept: whoever comes next derives anew.
    derived.desired.catch(() => {
      if (this.#working.get(artifact) === derived) this.#working.delete(artifact)
    })
    return derived.desired
  }

  async prospect(blueprint: AnyBlueprint, rows: Intent): Promise<unknown> {
    const { artifact } = blueprint
    const intent = this.alike(rows)
    const working = this.#working.get(artifact)
    if (working?.intent === intent) return working.desired
    const before = this.#prospects.get(artifact)
    const known = before?.intent === intent ? before.desired.deref() : undefined
    if (known !== undefined) return known
    const desired = await desiredOf(blueprint, intent)
    if (desired instanceof Object) this.#prospects.set(artifact, { intent, desired: new WeakRef(desired) })
    return desired
  }
}

const DIGESTS = new WeakMap<object, string>()

/** Nobody changes a desired state, so its digest is noted for `digestOf`. */
export function frozen<Desired>(codec: Codec<Desired>, desired: Desired): Artifact {
  const artifact = codec.freeze(desired)
  if (desired instanceof Object) DIGESTS.set(desired, artifact.digest)
  return artifact
}

/** Of what would be frozen. */
export const digestOf = <Desired>(codec: Codec<Desired>, desired: Desired): string =>
  (desired instanceof Object ? DIGESTS.get(desired) : undefined) ?? frozen(codec, desired).digest

/** In pieces where it takes its time. */
const desiredOf = async (blueprint: AnyBlueprint, intent: Intent): Promise<unknown> =>
  blueprint.desireInPieces?.(intent) ?? blueprint.desire(intent)

/** One object for intents with the same rows, as long as one of them is the newest of its kind. */
class AlikeIntents {
  readonly #first = new WeakMap<Intent, Intent>()
  readonly #newest = new Map<'working' | 'prospect', Intent>()

  of(intent: Intent, kind: 'working' | 'prospect'): Intent {
    const known = this.#first.get(intent)
    const first = known ?? [...this.#newest.values()].find((other) => isSame(other, intent)) ?? intent
    this.#first.set(intent, first)
    this.#newest.set(kind, first)
    return first
  }
}

const isSame = ({ rows }: Intent, { rows: others }: Intent): boolean =>
  rows.length === others.length && rows.every((row, at) => isSameRow(row, others[at]!))

/** In all that somebody outside can see. A revision says nothing of it: a rehearsal gives it to values that are then rolled back. */
const isSameRow = (a: IntentRow, b: IntentRow): boolean =>
  a === b ||
  (a.domain_id === b.domain_id &&
    a.live === b.live &&
    a.retired === b.retired &&
    hasSameDigest(a.carried, b.carried) &&
    isSameIn(a.fields, b.fields, OUTSIDE_FIELDS))
