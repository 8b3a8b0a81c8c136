/** What tests of resolvers' APIs share: a client, servers that are gone after each test, and the answers of a view. */
import { onTestFinished } from 'vitest'
import { createHttpClient } from '../../../../src/io/http-client/create-client.ts'
import { systemClock } from '../../../../src/kernel/clock.ts'
import { resolverAnswers } from '../../../../src/model/resolver.ts'
import type { ResolverConfig, ResolverRead } from '../../../../src/features/dns/resolver/port.ts'
import { type Handler, type ResolverApi, resolverApi } from '../../../fakes/resolver/resolver-api.ts'

export const SECRET = 'the-secret-of-the-resolver'
export const http = createHttpClient({ clock: systemClock })

export async function started(handle: Handler): Promise<ResolverApi> {
  const api = await resolverApi(handle)
  onTestFinished(() => api.close())
  return api
}

export const read = (config: ResolverConfig): Promise<ResolverRead> =>
  config.read(AbortSignal.timeout(60_000))

export function answers(found: ResolverRead): ReturnType<typeof resolverAnswers> {
  if (!found.ok) throw new Error(found.detail)
  return resolverAnswers(found.view)
}
