/** Which Traefik answers. Another major version has other words for the same things, so it is not read at all. */
import type { Instant } from '../../../kernel/clock.ts'
import { type Api, ask, unusable } from './ask.ts'
import { Version } from './wire.ts'

const MAJOR = 3
const NUMBERED = /^v?(\d+)\.\d+/

/** Builds between releases have no number and are taken as they are. Throws `component_unavailable` for another major version. */
export async function readVersion(
  api: Api,
  signal: AbortSignal,
): Promise<{ readonly version: string; readonly started_at: Instant | null }> {
  const path = '/api/version'
  const { body } = await ask(api, { path, answer: Version, signal })
  const version = body.Version.replace(/^v(?=\d)/, '').slice(0, 64)
  const major = NUMBERED.exec(version)?.[1]
  if (major !== undefined && Number(major) !== MAJOR)
    throw unusable(api, path, `is Traefik ${version}; only version ${MAJOR} is understood`)
  const at = Date.parse(body.startDate ?? '')
  return { version, started_at: Number.isNaN(at) ? null : at }
}
