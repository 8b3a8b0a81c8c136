/** When the service refuses us, is not there, or does not answer. */
import { createServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { Failure } from '../../../src/kernel/failure.ts'
import { type DnsProvider, isServerFailure as isMarked } from '../../../src/features/dns/providers/port.ts'
import { outcomeAlone } from '../../../src/features/dns/providers/server-failure.ts'
import { eachProvider, type OpenProvider } from './opened.ts'
import { changeOf, listing, never } from './steps.ts'

const WRONG = 'd3JvbmcgYnV0IHdlbGwgZm9ybWVkIHNlY3JldCE='

export function troubleContract(open: OpenProvider): void {
  const opened = eachProvider(open)
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
  })

  const served = async (serve: (socket: Socket) => void): Promise<number> => {
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
      serve(socket)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as { port: number }).port
  }

  /** Every call that a provider takes, with a change that would be visible. */
  const calls = (provider: DnsProvider, signal: AbortSignal): Record<string, () => Promise<unknown>> => {
    const { zone } = opened()
    const set = { name: `unseen.${zone}`, type: 'A', values: ['192.0.2.1'] }
    return {
      list: () => provider.list(zone, signal),
      change: () => provider.change(zone, [changeOf(set, null, provider.traits)], signal),
      ...(provider.traits.has_stamp ? { stamp: () => provider.stamp(zone, signal) } : {}),
    }
  }

  it('a refused credential is named as such, and nothing that is said holds it', async () => {
    const provider = opened().withCredential?.(WRONG)
    if (provider === undefined) return
    for (const [what, call] of Object.entries(calls(provider, never()))) {
      const error = await thrownBy(call)
      expect([what, codeOf(error)]).toEqual([what, 'provider_credentials'])
      expect(everythingIn(error)).not.toContain(WRONG)
    }
    expect((await listing(opened())).has(`unseen.${opened().zone} A`)).toBe(false)
  })

  it('a zone that the service does not have is a failure, not an empty one', async () => {
    const { provider, zone } = opened()
    if (provider.traits.makes_zones) return
    const error = await thrownBy(() => provider.list(`no-${zone}`, never()))
    expect(['component_unavailable', 'provider_refused', 'provider_credentials']).toContain(codeOf(error))
  })

  it('a service that is not there is unavailable', async () => {
    const { atPort } = opened()
    if (atPort === undefined) return
    const port = await served((socket) => socket.destroy())
    const gone = servers.splice(0)[0]!
    await new Promise((resolve) => gone.close(resolve))
    for (const [what, call] of Object.entries(calls(atPort(port), never())))
      expect([what, codeOf(await thrownBy(call))]).toEqual([what, 'component_unavailable'])
  })

  it('a service that hangs up on every request is unavailable', async () => {
    const { atPort } = opened()
    if (atPort === undefined) return
    const provider = atPort(await served((socket) => socket.once('data', () => socket.destroy())))
    for (const [what, call] of Object.entries(calls(provider, never())))
      expect([what, codeOf(await thrownBy(call))]).toEqual([what, 'component_unavailable'])
  })

  it('a set at which the service itself fails is told as such, and the same change without it goes through', async () => {
    const { provider, zone, failAt } = opened()
    if (failAt === undefined) return
    const named = (label: string) => ({ name: `${label}.${zone}`, type: 'A', values: ['192.0.2.1'] })
    const [good, bad] = [named('whole'), named('fails')]
    await failAt(bad.name)
    const changes = [good, bad].map((set) => changeOf(set, null, provider.traits))
    const outcomes = await provider.change(zone, changes, never()).catch((error: unknown) => error)
    if (Array.isArray(outcomes))
      expect(outcomes).toMatchObject([
        { ok: true },
        { ok: false, code: 'component_unavailable', server_failed: 'at_this_set' },
      ])
    else {
      expect(outcomes).toMatchObject({ code: 'component_unavailable' })
      expect(outcomes).toSatisfy(isServerFailure)
    }
    // Whether anything of it was done is not told, so all of it may be sent again.
    expect(await provider.change(zone, changes.slice(0, 1), never())).toMatchObject([{ ok: true }])
    const alone = await provider
      .change(zone, changes.slice(1), never())
      .catch((error: unknown) => [outcomeAlone(error as Failure)])
    expect(alone).toMatchObject([{ ok: false, code: 'component_unavailable', server_failed: 'at_this_set' }])
    const standing = await opened().world.look()
    expect([standing(good.name, 'A')?.values, standing(bad.name, 'A')]).toEqual([good.values, null])
  })

  it('a wait for a service that says nothing ends by the signal', async () => {
    const { atPort } = opened()
    if (atPort === undefined) return
    const end = { now: new AbortController() }
    const port = await served((socket) => socket.once('data', () => end.now.abort(new Error('no longer'))))
    for (const what of ['list', 'change']) {
      end.now = new AbortController()
      const error = await thrownBy(calls(atPort(port), end.now.signal)[what]!)
      expect(error).toBeInstanceOf(Error)
    }
  })

  it('a call whose signal has ended before does nothing', async () => {
    const { provider, zone } = opened()
    const calling = Object.values(calls(provider, AbortSignal.abort(new Error('no longer'))))
    for (const call of calling) expect(await thrownBy(call)).toBeInstanceOf(Error)
    expect((await listing(opened())).has(`unseen.${zone} A`)).toBe(false)
  })
}

async function thrownBy(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const isServerFailure = (error: unknown): boolean => error instanceof Failure && isMarked(error)

const codeOf = (error: unknown): string => (error instanceof Failure ? error.code : inspect(error))

/** Message, details and causes, however deep. */
const everythingIn = (error: unknown): string =>
  `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)}`
