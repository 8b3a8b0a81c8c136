/** Certificates as a component: one desired state for all, and a target for each that is wanted or still there. */
import type { AnyTarget, TargetFamily } from '../../engine/target.ts'
import type { Intent } from '../../model/intent.ts'
import { certificatesCodec } from './codec.ts'
import { type CertificatesDesired, desireCertificates } from './desire.ts'
import type { CertificateParts } from './parts.ts'
import { Shelf } from './shelf.ts'
import { type CertificateTarget, certificateTarget } from './target.ts'

export interface CertificatesFamily extends TargetFamily<CertificatesDesired> {
  readonly shelf: Shelf
  /** The target of a certificate, made on first asking; the same name is the same object. */
  target(name: string): CertificateTarget
  /** To be called when what the proxy reads has changed: every certificate is looked at. */
  changed(): void
}

export function certificatesFamily(parts: CertificateParts): CertificatesFamily {
  const { responsibility } = parts
  const shelf = new Shelf(parts)
  const targets = new Map<string, CertificateTarget>()
  const hints = new Set<() => void>()
  const kept = new WeakMap<Intent, CertificatesDesired>()
  const desire = (intent: Intent): CertificatesDesired => {
    const desired = kept.get(intent) ?? desireCertificates(intent, responsibility)
    kept.set(intent, desired)
    return desired
  }
  const blueprint = { name: 'certificates', artifact: 'certificates', desire, codec: certificatesCodec }
  const watch = (hint: () => void) => {
    // Two watchers may pass the same function.
    const own = () => hint()
    hints.add(own)
    return { close: () => void hints.delete(own) }
  }
  const target = (name: string): CertificateTarget => {
    const made = targets.get(name) ?? certificateTarget(name, { ...parts, blueprint, shelf, watch })
    targets.set(name, made)
    return made
  }
  return {
    ...blueprint,
    shelf,
    target,
    targetsFor(intent) {
      const wanted = desire(intent).wishes.map(({ name }) => name)
      const names = new Set([...wanted, ...shelf.known])
      return [...names].sort().map((name) => target(name) as unknown as AnyTarget)
    },
    changed() {
      for (const hint of hints) hint()
    },
  }
}
