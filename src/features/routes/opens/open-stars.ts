/**
 * Routers of a release that take the host of a protected one where that is gone: open ones with a star above it, at the
 * same door. Whoever asks for the name is then served by what stands behind the star, without a check. Pure.
 */
import { covers } from '../../../model/network/certificate.ts'
import { hostsIn } from './hosts-in.ts'
import { roleMark } from '../render/names.ts'

/** What a router listens to, out of the parts of its text. */
export interface Listening {
  readonly hosts: readonly string[]
  /** Entrypoints, and whether it is asked over TLS. */
  readonly door: string
}

export const listeningOf = (parts: ReadonlyMap<string, string> | null): Listening => ({
  hosts: hostsIn(parts?.get('rule') ?? ''),
  door: `${parts?.get('entryPoints') ?? ''}${parts?.has('tls') === true ? 'tls' : ''}`,
})

export const hasStar = ({ hosts }: Listening): boolean => hosts.some((host) => host.startsWith('*.'))

/** Takes the whole host. Where only a part of a site is gone, this one is asked for it. */
export function isWhole(item: string): boolean {
  const name = item.split('.').slice(2).join('.')
  return WHOLE.some((mark) => name.startsWith(mark))
}
const WHOLE = (['site', 'redirect', 'tcp'] as const).map(roleMark)

export const takesOver = (star: Listening, removed: Listening): boolean =>
  star.door === removed.door && removed.hosts.some((host) => covers(star.hosts, host))
