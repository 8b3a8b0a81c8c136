/** Where a probe may go: the record's own address, or all that its name has; never to what is ours, never twice resolved. */
import { describe, expect, it } from 'vitest'
import { ownMarks, vetted } from '../../../../src/features/domains/backend/vetted.ts'
import type { BackendProbe } from '../../../../src/features/domains/backend/probe/port.ts'

const NEVER = new AbortController().signal

/** A resolver that answers in turn, as one does that rebinds. */
function resolver(...answers: readonly (readonly string[])[]) {
  let asked = 0
  const probe: BackendProbe = {
    resolve: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)] ?? []),
    connect: () => Promise.reject(new Error('nothing may be connected to')),
    get: () => Promise.reject(new Error('nothing may be asked')),
    handshake: () => Promise.resolve({ ok: false, failure: 'tls_failed' }),
    speaksH2c: () => Promise.resolve(false),
  }
  return { probe, asked: () => asked }
}

const here = () => ['127.0.0.1', '192.168.1.2', 'fd00::2']
const vet = (host: string, answers: readonly string[] = [], own: readonly string[] = []) =>
  vetted({ host, port: 8080 }, { probe: resolver(answers).probe, own: new Set(own), here }, NEVER)

describe('vetting', () => {
  it.each(['10.0.0.5', '192.168.1.2', '127.0.0.1', '203.0.113.5', 'fd00::5', '::1', '100.64.0.1'])(
    'the literal %s is the record’s own',
    async (host) => {
      expect(await vet(host)).toEqual({ ok: true, place: { address: host, port: 8080, name: host } })
    },
  )

  it.each([
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    'fe80::1',
    'ff02::1',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::',
  ])('nothing leads to %s, neither itself nor by a name', async (address) => {
    expect(await vet(address)).toEqual({ ok: false, reason: 'forbidden_address' })
    expect(await vet('app.internal', [address])).toEqual({ ok: false, reason: 'forbidden_address' })
  })

  it('a name leads to the address that it had when it was asked, once', async () => {
    const rebinding = resolver(['10.0.0.5'], ['127.0.0.1'])
    const found = await vetted(
      { host: 'app.internal', port: 80 },
      { probe: rebinding.probe, own: new Set(), here },
      NEVER,
    )
    expect(found).toEqual({ ok: true, place: { address: '10.0.0.5', port: 80, name: 'app.internal' } })
    expect(rebinding.asked()).toBe(1)
  })

  it.each([
    [['10.0.0.5', '127.0.0.1']],
    [['127.0.0.1']],
    [['10.0.0.5', '169.254.169.254']],
    [['::1', '10.0.0.5']],
  ])('a name with %j leads nowhere', async (answers) => {
    expect(await vet('app.internal', answers)).toEqual({ ok: false, reason: 'forbidden_address' })
  })

  it('a name without an address leads nowhere', async () => {
    expect(await vet('gone.internal', [])).toEqual({ ok: false, reason: 'no_such_name' })
  })

  it('localhost is this host, whatever a resolver says', async () => {
    expect(await vet('localhost', ['10.0.0.5'])).toMatchObject({ ok: true, place: { address: '127.0.0.1' } })
  })
})

describe('what is ours', () => {
  it.each([
    [{ host: '127.0.0.1', port: 8080 }, '127.0.0.1'],
    [{ host: '127.0.0.1', port: 8080 }, '127.9.9.9'],
    [{ host: '0.0.0.0', port: 8080 }, '::1'],
    [{ host: 'localhost', port: 8080 }, 'localhost'],
    [{ host: '10.0.0.7', port: 8080 }, '10.0.0.7'],
    [{ host: '0.0.0.0', port: 8080 }, '192.168.1.2'],
    [{ host: '::', port: 8080 }, 'fd00:0::2'],
  ])('%j is not probed as %s', async (own, host) => {
    expect(await vet(host, [], ownMarks(own))).toEqual({ ok: false, reason: 'own_service' })
  })

  it('on loopback alone it is reached by no other address of this host', async () => {
    const own = ownMarks({ host: '127.0.0.1', port: 8080 })
    expect(await vet('192.168.1.2', [], own)).toMatchObject({ ok: true })
  })

  it('another port beside it is', async () => {
    expect(await vet('127.0.0.1', [], ownMarks({ host: '127.0.0.1', port: 9090 }))).toMatchObject({
      ok: true,
    })
  })
})
