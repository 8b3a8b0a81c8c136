/**
 * Pi-hole 6, read by the API of its resolver (FTL's specification: `/auth`, `/config`). Sessions are few, so the one that
 * is opened is always closed.
 */
import { z } from 'zod'
import type { Secret } from '../../../../kernel/secret.ts'
import type { HttpClient } from '../../../../ports/http-client.ts'
import type { ResolverConfig } from '../port.ts'
import { type Api, callApi, failed, reading } from '../api-answer.ts'
import { DnsmasqWalk } from '../dnsmasq/config.ts'

const Session = z.object({
  session: z.object({ valid: z.boolean(), sid: z.string().nullable(), totp: z.boolean().optional() }),
})
const lines = z.array(z.string())
const Hosts = z.object({ config: z.object({ dns: z.object({ hosts: lines }) }) })
const Aliases = z.object({ config: z.object({ dns: z.object({ cnameRecords: lines }) }) })
const Raw = z.object({ config: z.object({ misc: z.object({ dnsmasq_lines: lines }) }) })

const CREDENTIAL = 'PLUMBLINE_PIHOLE_PASSWORD, which may be an app password'
const LOGOUT_MS = 3000

export interface PiholeOptions {
  readonly http: HttpClient
  /** Null where the API asks for none. */
  readonly password: Secret | null
}

export function piholeConfig(base: string, { http, password }: PiholeOptions): ResolverConfig {
  const api: Api = { http, base, source: `pihole:${base}` }
  return {
    source: api.source,
    kind: 'api',
    read: (signal) =>
      reading(async () => {
        const sid = password === null ? null : await logIn(api, password, signal)
        try {
          return await readWith(api, sid, signal)
        } finally {
          if (sid !== null) await logOut(api, sid)
        }
      }),
  }
}

async function logIn(api: Api, password: Secret, signal: AbortSignal): Promise<string | null> {
  const call = { method: 'POST' as const, path: '/api/auth', credential: CREDENTIAL, signal }
  const json = { password: password.reveal() }
  const { session } = await callApi(api, { ...call, json, answer: Session })
  if (session.valid) return session.sid
  throw failed(api, 'refused', `refused the password. See ${CREDENTIAL}`)
}

async function readWith(api: Api, sid: string | null, signal: AbortSignal) {
  const headers: Record<string, string> = sid === null ? {} : { 'x-ftl-sid': sid }
  const get = <T>(path: string, answer: z.ZodType<T>) =>
    callApi(api, { method: 'GET', path, headers, answer, credential: CREDENTIAL, signal })
  const { hosts } = (await get('/api/config/dns/hosts', Hosts)).config.dns
  const { cnameRecords } = (await get('/api/config/dns/cnameRecords', Aliases)).config.dns
  const { dnsmasq_lines } = (await get('/api/config/misc/dnsmasq_lines', Raw)).config.misc
  const walk = new DnsmasqWalk(null)
  walk.takeHosts(hosts.map(oneLine).join('\n'), `${api.source} dns.hosts`)
  const aliases = cnameRecords.map((record) => `cname=${oneLine(record)}`)
  await walk.take(aliases.join('\n'), `${api.source} dns.cnameRecords`, 0)
  await walk.take(dnsmasq_lines.map(oneLine).join('\n'), `${api.source} misc.dnsmasq_lines`, 0)
  return walk.result('pihole')
}

/** Entries are numbered as lines, so that a source says which one it was. */
const oneLine = (entry: string): string => entry.replaceAll('\n', ' ')

/** Also after the caller gave up. A session that stays ends by itself after half an hour. */
async function logOut({ http, base }: Api, sid: string): Promise<void> {
  const signal = AbortSignal.timeout(LOGOUT_MS)
  await http
    .request({ method: 'DELETE', url: `${base}/api/auth`, headers: { 'x-ftl-sid': sid }, signal })
    .catch(() => undefined)
}
