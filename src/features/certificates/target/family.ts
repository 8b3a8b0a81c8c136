/** Certificates as a component: one desired state for all, and a target for each that is wanted or still there. */
import type { AnyTarget, TargetFamily } from '../../../engine/target.ts'
import type { Intent } from '../../../model/intent.ts'
import { certificatesCodec } from './codec.ts'
import { type CertificatesDesired, desireCertificates } from './desire.ts'
import type { CertificateParts } from './parts.ts'
import { CertificateInventory } from './inventory.ts'
import { type CertificateTarget, certificateTarget } from './target.ts'

export interface CertificatesFamily extends TargetFamily<CertificatesDesired> {
  readonly inventory: CertificateInventory
  /** The target of a certificate, made on first asking; the same name is the same object while anybody holds it. */
  target(name: string): CertificateTarget
  /** To be called when what the proxy reads has changed: every certificate is looked at. */
  changed(): void
  /** Calls `hint` when the proxy's file has something new to name. */
  watchInstalled(hint: () => void): { close(): void }
}

export function certificatesFamily(parts: CertificateParts): CertificatesFamily {
  const { responsibility } = parts
  const inventory = new CertificateInventory(parts)
  // Whoever asks what would be also names what never comes: only those last that somebody works with.
  const targets = new Map<string, WeakRef<CertificateTarget>>()
  const forgotten = new FinalizationRegistry<string>((name) => {
    if (targets.get(name)?.deref() === undefined) targets.delete(name)
  })
  const certificates = new Hints()
  const file = new Hints()
  const watch = (hint: () => void) => certificates.watch(hint)
  const installed = () => file.tell()
  const kept = new WeakMap<Intent, CertificatesDesired>()
  const desire = (intent: Intent): CertificatesDesired => {
    const desired = kept.get(intent) ?? desireCertificates(intent, responsibility)
    kept.set(intent, desired)
    return desired
  }
  const blueprint = { name: 'certificates', artifact: 'certificates', desire, codec: certificatesCodec }
  const target = (name: string): CertificateTarget => {
    const known = targets.get(name)?.deref()
    if (known !== undefined) return known
    const made = certificateTarget(name, { ...parts, blueprint, inventory, watch, installed })
    targets.set(name, new WeakRef(made))
    forgotten.register(made, name)
    return made
  }
  return {
    ...blueprint,
    inventory,
    target,
    targetsFor(intent) {
      const wanted = desire(intent).wishes.map(({ name }) => name)
      const names = new Set([...wanted, ...inventory.known])
      return [...names].sort().map((name) => target(name) as unknown as AnyTarget)
    },
    changed: () => certificates.tell(),
    watchInstalled: (hint) => file.watch(hint),
  }
}

/** Those who want to be told that they should look. */
class Hints {
  readonly #hints = new Set<() => void>()

  /** Two watchers may pass the same function. */
  watch(hint: () => void): { close(): void } {
    const own = () => hint()
    this.#hints.add(own)
    return { close: () => void this.#hints.delete(own) }
  }

  tell(): void {
    for (const hint of this.#hints) hint()
  }
}
