/** What the pages of keys, gateways and edges decide without a browser, and the filter and the order of long lists. */
import { describe, expect, it } from 'vitest'
import type { DdnsHosts, ListedSiteToken, SshClient } from '../../src/ui/api/types.ts'
import { endText } from '../../src/ui/model/ages.ts'
import {
  firstReport,
  hostState,
  reportedText,
  routerText,
  tokenState,
} from '../../src/ui/model/granted/ddns.ts'
import { edgeHelp, edgeLamp, nextWishes } from '../../src/ui/model/granted/edges.ts'
import { acceptingLine, targetAdvice, targetLamp } from '../../src/ui/model/granted/ssh-targets.ts'
import type { SshTarget } from '../../src/ui/api/companions/inventory.ts'
import {
  addBody,
  clientState,
  EMPTY_SSH,
  keyLineFault,
  mayWords,
  optionWords,
  untilFault,
} from '../../src/ui/model/granted/ssh.ts'
import {
  filteredRows,
  orderedBy,
  parseListing,
  parseListingSort,
  withoutListingTerm,
} from '../../src/ui/model/table/listing.ts'

const HOST: DdnsHosts['hosts'][number] = {
  host: 'home.example',
  domain_id: 1,
  is_hub: false,
  ddns_enabled: true,
  in_force: true,
  because: null,
  counts: null,
  ipv4: '203.0.113.9',
  ipv6: null,
  changed_at: null,
  reported_at: '2026-01-01T00:00:00Z',
  flapping: [],
  waiting: [],
  refused: null,
  tokens: 1,
  history: [],
}

describe('a host of dynamic DNS', () => {
  it('is well only where its gateway reported and nothing stands against it', () => {
    const held = { type: 'A', held: '203.0.113.9', asked: '203.0.113.8', until: '' } as const
    const refused = { at: '', code: 'x', detail: 'It is private.' }
    const lamp = (over: Partial<typeof HOST>) => hostState({ ...HOST, ...over }).lamp
    expect(lamp({})).toBe('ok')
    expect(lamp({ reported_at: null })).toBe('unknown')
    expect(lamp({ reported_at: null, tokens: 0 })).toBe('unknown')
    expect(lamp({ flapping: [held] })).toBe('drift')
    expect(lamp({ flapping: [held], refused })).toBe('bad')
    expect(lamp({ waiting: [{ type: 'A', address: '203.0.113.8', due_at: '' }] })).toBe('moving')
    expect(lamp({ in_force: false, because: 'static_ip', refused })).toBe('off')
    expect(hostState({ ...HOST, refused }).why).toContain('It is private.')
  })

  it('turns the lamp of a new key at its first report', () => {
    const token: ListedSiteToken = {
      id: 'a',
      host: 'home.example',
      label: '',
      state: 'valid',
      created_at: '',
      expires_at: null,
      last_used_at: null,
      has_record: true,
    }
    const key = { id: 'a', host: 'home.example', created_at: '2026-01-01T00:00:00Z' }
    const used = [{ ...token, last_used_at: '2026-01-01T00:00:00Z' }]
    const heard = (at: string) => [
      { host: 'home.example', refused: { at, code: 'validation_failed', detail: 'it is not public' } },
    ]
    expect(firstReport(key, [token], []).lamp).toBe('moving')
    expect(firstReport(key, used, []).lamp).toBe('ok')
    expect(firstReport(key, undefined, undefined).lamp).toBe('moving')
    expect(firstReport(key, used, heard('2026-01-02T00:00:00Z'))).toEqual({
      lamp: 'bad',
      why: 'A report for home.example was refused: it is not public',
    })
    expect(firstReport(key, [token], heard('2025-12-31T00:00:00Z')).lamp).toBe('moving')
    const none = { ipv4: null, ipv6: null, refused: null }
    expect(reportedText(none)).toBe('nothing yet')
    expect(reportedText({ ...none, ipv4: '192.0.2.1' })).toBe('192.0.2.1')
    expect(reportedText({ ...none, refused: heard('2026-01-02T00:00:00Z')[0]!.refused })).toBe(
      'refused: it is not public',
    )
    expect(tokenState(token).lamp).toBe('ok')
    expect(tokenState({ ...token, has_record: false }).lamp).toBe('unknown')
    expect(tokenState({ ...token, state: 'rotation_due' }).lamp).toBe('drift')
  })

  it('has the fields of the form of UniFi, a line each', () => {
    const unifi = { service: 'custom', hostname: 'h', username: 'u', password: 'p', server: 's' } as const
    const lines = { url: 'U', curl: 'C', inadyn: 'I', ddclient: 'D', unifi }
    expect(routerText(lines, 'unifi')).toBe(
      'Service: custom\nHostname: h\nUsername: u\nPassword: p\nServer: s',
    )
    expect(routerText(lines, 'inadyn')).toBe('I')
  })
})

const LINE = `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${'A'.repeat(43)}`

const OPTIONS: NonNullable<SshClient['options']> = {
  pty: true,
  port_forwarding: false,
  agent_forwarding: false,
  x11_forwarding: false,
  user_rc: false,
  from: ['10.0.0.0/8'],
  command: null,
  permit_open: [],
  permit_listen: [],
  expires_at: null,
  verify_required: false,
  no_touch_required: false,
}

describe('a key of the SSH gateway', () => {
  it('says what it may in words, and what it may not is not said', () => {
    expect(optionWords(OPTIONS)).toBe('terminal, only from 10.0.0.0/8')
    expect(optionWords({ ...OPTIONS, pty: false, from: [] })).toBe('nothing but log in')
    expect(optionWords({ ...OPTIONS, command: 'backup' })).toContain('runs only backup')
    expect(optionWords(null)).toBe('not known')
  })

  it('of somebody else says what stands on its line', () => {
    const may = (line_options: string) => mayWords({ options: null, line_options })
    expect(may('restrict,command="cat \\"a, b\\""')).toBe('runs only cat "a, b"')
    expect(may('')).toBe('all that sshd allows')
    expect(may('restrict')).toBe('nothing but log in')
    expect(may('no-pty,from="10.0.0.0/8,192.0.2.1",principals="a"')).toBe(
      'all that sshd allows, no terminal, only from 10.0.0.0/8,192.0.2.1, principals="a"',
    )
    expect(mayWords({ options: OPTIONS, line_options: null })).toBe('terminal, only from 10.0.0.0/8')
  })

  it('does not shine once it has expired, and is not ours where somebody else put it there', () => {
    const row = { state: 'deployed', weakness: null, options: OPTIONS } as const
    const expired = { ...OPTIONS, expires_at: '2026-01-01T00:00:00Z' }
    expect(clientState(row, 0).lamp).toBe('ok')
    expect(clientState({ ...row, options: expired }, Date.parse('2026-01-02')).lamp).toBe('bad')
    expect(clientState({ ...row, state: 'foreign' }, 0).lamp).toBe('off')
    expect(clientState({ ...row, state: 'unknown' }, 0).lamp).toBe('unknown')
    expect(clientState({ ...row, weakness: 'Too short.' }, 0).why).toContain('Too short.')
  })

  it('is sent with what was typed, and not at all while there is no line', () => {
    expect(addBody(EMPTY_SSH)).toBeNull()
    const draft = { ...EMPTY_SSH, line: ` ${LINE} jo\n`, from: '10.0.0.0/8, 192.0.2.1' }
    expect(addBody(draft)).toMatchObject({
      public_key: `${LINE} jo`,
      options: { pty: true, from: ['10.0.0.0/8', '192.0.2.1'], permit_open: [] },
    })
    expect(addBody(draft)).not.toHaveProperty('name')
  })

  it('is not sent where it is a private one, or anything but one line of a public one', () => {
    const armour = (kind: string) => `-----BEGIN ${kind}-----\nb3BlbnNz\n-----END ${kind}-----`
    const privates = [
      armour('OPENSSH PRIVATE KEY'),
      armour('RSA PRIVATE KEY'),
      armour('ENCRYPTED PRIVATE KEY'),
      'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none',
      'b3BlbnNzaC1rZXktdjEAAAAABG5vbmU=',
      `${LINE} jo\n${armour('OPENSSH PRIVATE KEY')}`,
    ]
    for (const line of privates) {
      expect(addBody({ ...EMPTY_SSH, line }), line).toBeNull()
      expect(keyLineFault(line), line).toContain('private key')
    }
    const others = [
      `${LINE} a\n${LINE} b`,
      `restrict,command="x" ${LINE}`,
      'ssh-ed25519',
      'hello',
      LINE.slice(12),
    ]
    for (const line of others) {
      expect(addBody({ ...EMPTY_SSH, line }), line).toBeNull()
      expect(keyLineFault(line), line).toContain('.pub file')
    }
    for (const line of [
      '',
      LINE,
      `${LINE} jo laptop\r\n`,
      LINE.replace('ssh-ed25519', 'sk-ssh-ed25519@openssh.com'),
    ])
      expect(keyLineFault(line), line).toBeNull()
  })

  it('says when it ends, and that a past end would expire it at once', () => {
    const now = Date.parse('2026-11-27T00:00:00Z')
    expect(endText(Date.parse('2026-12-31T00:00:00Z'), now)).toBe('in 34 d')
    expect(endText(Date.parse('2026-11-20T00:00:00Z'), now)).toBe('expired 7 d ago')
    expect(untilFault('', now)).toBeNull()
    expect(untilFault('2027-01-01T00:00', now)).toBeNull()
    expect(untilFault('2026-11-20T00:00', now)).toContain('expired at once')
  })
})

describe('a target of the SSH gateway', () => {
  const GIT: SshTarget = {
    name: 'git',
    address: '2001:db8::14',
    port: 22,
    user: 'root',
    vmid: 1401,
    cluster: 'lab',
    source: 'guest',
    state: 'present',
    host_key: 'ssh-ed25519 AAAA',
    key_origin: 'contact',
    shown_key: null,
    shown_at: null,
    contacted_at: null,
    released: true,
  }
  it.each([
    [{}, 'ok', null],
    [{ host_key: null, key_origin: null }, 'unknown', 'No host key'],
    [{ shown_key: 'ssh-ed25519 BBBB' }, 'bad', 'another host key'],
    [{ state: 'gone', shown_key: 'ssh-ed25519 BBBB' }, 'drift', 'no guest 1401'],
    [{ state: 'unknown' }, 'unknown', 'could not be seen in whole'],
    [{ state: 'new', released: false }, 'pending', 'not taken in'],
    [{ state: 'changed' }, 'pending', 'another name or address'],
    [{ released: false }, 'pending', 'configuration of the gateway'],
    [{ state: 'stopped' }, 'pending', 'stopped'],
  ] as const)('that is %j is %s, and says what is wrong and what helps', (over, lamp, why) => {
    const target: SshTarget = { ...GIT, ...over }
    expect(targetLamp(target)).toBe(lamp)
    const advice = targetAdvice(target)
    if (why === null) expect(advice).toBeNull()
    else {
      expect(advice?.why).toContain(why)
      expect(advice?.helps).not.toBe('')
    }
  })

  it('has the line of the setting that takes the key that it shows', () => {
    expect(acceptingLine({ ...GIT, shown_key: 'ssh-ed25519 BBBB' })).toBe(
      'git=root@[2001:db8::14]:22 ssh-ed25519 BBBB',
    )
  })
})

it('an edge that is wanted and silent is wrong, and one that runs an older release differs', () => {
  const row = { state: 'active', desired_state: 'active', up_to_date: true, reason: '' } as const
  expect(edgeLamp(row)).toBe('ok')
  expect(edgeLamp({ ...row, up_to_date: false })).toBe('drift')
  expect(edgeLamp({ ...row, up_to_date: null })).toBe('unknown')
  expect(edgeLamp({ ...row, state: 'offline' })).toBe('bad')
  expect(edgeHelp({ ...row, state: 'offline' })).toContain('take it out')
  expect(edgeHelp({ ...row, state: 'offline', desired_state: 'offline' })).toBeNull()
  expect(edgeHelp(row)).toBeNull()
  expect(edgeLamp({ ...row, state: 'offline', desired_state: 'offline' })).toBe('off')
  expect(edgeLamp({ ...row, state: 'pending' })).toBe('moving')
  expect(nextWishes({ desired_state: 'draining' }).map(([wish]) => wish)).toEqual(['active', 'offline'])
})

describe('a long list', () => {
  const rows = [
    { name: 'b10', mac: '02:00:5e:10:00:01', on: true },
    { name: 'b9', mac: '02:00:5e:10:00:02', on: false },
    { name: 'a', mac: null, on: true },
  ]
  type One = (typeof rows)[number]
  const fields = {
    words: ({ name, mac }: One) => `${name} ${mac ?? ''}`,
    keys: { mac: ({ mac }: One) => [mac] },
    is: { online: ({ on }: One) => on },
  }
  const names = (text: string) => filteredRows(rows, parseListing(text, fields)).map(({ name }) => name)

  it('is filtered by words, keys and states, and a minus negates', () => {
    expect(names('')).toEqual(['b10', 'b9', 'a'])
    expect(names('B')).toEqual(['b10', 'b9'])
    expect(names('is:online -b10')).toEqual(['a'])
    expect(names('mac:02:00')).toEqual(['b10', 'b9'])
    expect(names('"b9 02"')).toEqual(['b9'])
    expect(names('02:00:5e:10:00:02'), 'an address of hardware is no key').toEqual(['b9'])
    expect(parseListing('is:wrong', fields)[0]!.fault).toContain('is:wrong is not known: online')
    expect(parseListing('zone:x', fields)[0]!.fault).toContain('zone: is not known: mac, is')
    // What every object has beside is no word of a list.
    expect(parseListing('is:constructor', fields)[0]!.fault).toContain('is:constructor is not known')
    expect(parseListing('constructor:x', fields)[0]!.fault).toContain('constructor: is not known')
    const terms = parseListing('b is:online', fields)
    expect(withoutListingTerm(terms, terms[0]!)).toBe('is:online')
  })

  it('is ordered by a column, and what has no value comes last in both directions', () => {
    const by = (down: boolean) => orderedBy(rows, ({ mac }) => mac, down).map(({ name }) => name)
    expect(by(false)).toEqual(['b10', 'b9', 'a'])
    expect(by(true)).toEqual(['b9', 'b10', 'a'])
    expect(orderedBy(rows, ({ name }) => name, false).map(({ name }) => name)).toEqual(['a', 'b9', 'b10'])
    const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
    const texts = [
      'a10',
      'A9',
      'a-1',
      'a_1',
      'a.1',
      'a1',
      '',
      ' a',
      '10.0.0.9',
      '10.0.0.10',
      '2001:db8::1',
      '9',
      '07',
      '7b',
      'Zürich',
      'zebra',
      'éclair',
      '12345678901234',
      '12345678901233',
      '0',
      '00',
      'x(1)',
      'x[1]',
      'x{1}',
      'x@1',
      'x/1',
      'x+1',
      'x~1',
    ]
    const as_collated = texts.toSorted(collator.compare)
    expect(orderedBy(texts, (text) => text, false)).toEqual(as_collated)
    expect(parseListingSort('-age', 'name')).toEqual({ key: 'age', down: true })
    expect(parseListingSort(null, 'name')).toEqual({ key: 'name', down: false })
  })
})
