/** What the deployed edition must never hold at once, and what of several rows may go all the same. */
import { describe, expect, it } from 'vitest'
import {
  assertReleasable,
  claimsOf,
  releasableAmong,
  shadowedPairs,
} from '../../../src/engine/editions/releasable.ts'
import { Failure } from '../../../src/kernel/failure.ts'
import { anIntent, aRow, type RowWish } from '../../fixtures.ts'

const DOORS = { tcp_entrypoints: ['postgres', 'ssh', 'websecure'], tls_entrypoint: 'websecure' } as const
const STAR_FIRST = { ...DOORS, star_goes_first: true }

const A: RowWish = { domain_id: 1, domain: 'a.example.com' }
const B: RowWish = { domain_id: 2, domain: 'b.example.com' }
/** A TCP route, without TLS. */
const PLAIN = { service_type: 'tcp-proxy', ssl_enabled: false, tcp_entrypoint: 'postgres' } as const
const STAR: RowWish = { domain_id: 8, domain: '*.example.com' }
const TLS: RowWish = {
  domain_id: 9,
  domain: 'db.example.com',
  service_type: 'tcp-proxy',
  tcp_entrypoint: 'websecure',
}

interface Scene {
  readonly released?: readonly RowWish[]
  /** A number is a record that goes. */
  readonly rows: readonly (RowWish | number)[]
  readonly doors?: typeof DOORS & { readonly star_goes_first?: boolean }
}

const rowsOf = (rows: Scene['rows']) =>
  rows.map((row) =>
    typeof row === 'number' ? { domain_id: row, row: null } : { domain_id: row.domain_id!, row: aRow(row) },
  )

/** The message, and the records that it names: the one that holds and the one that is refused; null for none. */
function refusal({ released = [], rows, doors = DOORS }: Scene) {
  try {
    assertReleasable(anIntent(...released), rowsOf(rows), doors)
    return null
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'conflict') throw error
    const { domain_id, refused_id } = error.details.facts!
    return { message: error.message, domain_id, refused_id }
  }
}

describe('one thing twice', () => {
  it.each<[what: string, scene: Scene]>([
    ['is not two names', { released: [A], rows: [B] }],
    ['is not the same record again', { released: [A], rows: [{ ...A, revision: 2 }] }],
    ['is not a name of a record that goes', { released: [A], rows: [1, { ...B, domain: A.domain! }] }],
    [
      'is not a name of a record that is not live',
      { released: [{ ...A, live: false }], rows: [{ ...B, domain: A.domain! }] },
    ],
    [
      'is not a name that two swap in one deploy',
      {
        released: [A, B],
        rows: [
          { ...A, domain: B.domain! },
          { ...B, domain: A.domain! },
        ],
      },
    ],
    [
      'is not an entrypoint each',
      { released: [{ ...A, ...PLAIN }], rows: [{ ...B, ...PLAIN, tcp_entrypoint: 'ssh' }] },
    ],
    [
      'is not an entrypoint that one of them serves over TLS',
      { released: [{ ...A, ...PLAIN }], rows: [{ ...B, ...PLAIN, ssl_enabled: true }] },
    ],
  ])('%s', (_what, scene) => {
    expect(refusal(scene)).toBeNull()
  })

  it.each<[what: string, scene: Scene, domain_id: number, refused_id: number, message: string]>([
    [
      'is a name that is deployed for another',
      { released: [A], rows: [{ ...B, domain: A.domain! }] },
      1,
      2,
      'a.example.com cannot be deployed: the name a.example.com is still deployed for domain 1. Deploy domain 1 first.',
    ],
    [
      'is a name of one that stands behind it in the alphabet and stays',
      { released: [{ ...B, domain_id: 3, domain: A.domain! }], rows: [A] },
      3,
      1,
      'a.example.com cannot be deployed: the name a.example.com is still deployed for domain 3. Deploy domain 3 first.',
    ],
    [
      'is an entrypoint without TLS for two',
      { released: [{ ...A, ...PLAIN }], rows: [{ ...B, ...PLAIN }] },
      1,
      2,
      'b.example.com cannot be deployed: the entrypoint postgres is still deployed for domain 1. Deploy domain 1 first.',
    ],
    [
      'is an entrypoint of one that comes first in the alphabet, too',
      { released: [{ ...B, ...PLAIN }], rows: [{ ...A, ...PLAIN }] },
      2,
      1,
      'a.example.com cannot be deployed: the entrypoint postgres is still deployed for domain 2. Deploy domain 2 first.',
    ],
  ])('%s', (_what, scene, domain_id, refused_id, message) => {
    expect(refusal(scene)).toEqual({ domain_id, refused_id, message })
  })

  it('is told by what a record claims', () => {
    expect(claimsOf(aRow(A))).toEqual(['name a.example.com'])
    expect(claimsOf(aRow({ ...A, ...PLAIN }))).toEqual(['name a.example.com', 'entrypoint postgres'])
    expect(claimsOf(aRow({ ...A, ...PLAIN, ssl_enabled: true }))).toEqual(['name a.example.com'])
  })
})

describe('a TCP route', () => {
  const GONE = { ...PLAIN, tcp_entrypoint: 'mysql' } as const
  it.each<[what: string, scene: Scene]>([
    ['goes to an entrypoint that is for such', { rows: [{ ...A, ...PLAIN }] }],
    ['goes over TLS to the one for HTTPS', { rows: [TLS] }],
    [
      'stays where it stood before its entrypoint was for something else',
      { released: [{ ...A, ...GONE }], rows: [{ ...A, ...GONE, revision: 2 }] },
    ],
    ['that does not move is nobody’s doing now', { released: [{ ...A, ...GONE }], rows: [B] }],
    ['that goes is not judged', { released: [{ ...A, ...GONE }], rows: [1] }],
    ['that is not live is not judged', { rows: [{ ...A, ...GONE, live: false }] }],
    [
      'that is managed elsewhere is not judged',
      { rows: [{ ...A, ...GONE, protocol: 'tcp', service_type: 'manual' }] },
    ],
    ['is no HTTP route, whatever that once had', { rows: [{ ...A, tcp_entrypoint: 'mysql' }] }],
  ])('%s', (_what, scene) => {
    expect(refusal(scene)).toBeNull()
  })

  it.each<[what: string, scene: Scene]>([
    ['is not brought to an entrypoint that is for something else', { rows: [{ ...A, ...GONE }] }],
    [
      'is not brought there from another',
      { released: [{ ...A, ...PLAIN }], rows: [{ ...A, ...GONE, revision: 2 }] },
    ],
    [
      'is not brought there with TLS where it stood without',
      { released: [{ ...A, ...GONE }], rows: [{ ...A, ...GONE, revision: 2, ssl_enabled: true }] },
    ],
    [
      'is not brought there again where it was no longer live',
      { released: [{ ...A, ...GONE, live: false }], rows: [{ ...A, ...GONE }] },
    ],
    [
      'is not brought to the one for HTTPS without TLS',
      { rows: [{ ...A, ...PLAIN, tcp_entrypoint: 'websecure' }] },
    ],
    [
      'is found among others that may go',
      {
        released: [{ ...B, ...GONE, tcp_entrypoint: 'old' }],
        rows: [
          { ...B, ...GONE, tcp_entrypoint: 'old' },
          { ...A, ...GONE },
        ],
      },
    ],
  ])('%s', (_what, scene) => {
    expect(refusal(scene)).toMatchObject({ domain_id: 1, refused_id: 1 })
  })

  it('is told where it may stand', () => {
    const scene = { rows: [{ ...A, ...GONE }] }
    expect(refusal(scene)!.message).toBe(
      'a.example.com (domain 1) cannot be deployed: its tcp_entrypoint mysql is not for such a TCP route any more, by ' +
        'PLUMBLINE_ENTRYPOINTS. Set another tcp_entrypoint (postgres, ssh, websecure), with ssl_enabled where that serves HTTPS.',
    )
    const doors = { ...DOORS, tcp_entrypoints: [] } as unknown as typeof DOORS
    expect(refusal({ ...scene, doors })!.message).toContain('(there is none)')
  })
})

describe('a star over HTTPS', () => {
  const both: Scene = { rows: [STAR, TLS], doors: STAR_FIRST }
  it.each<[what: string, scene: Scene]>([
    ['takes nothing where it goes last', { rows: [STAR, TLS] }],
    [
      'takes no TCP route of another entrypoint',
      { ...both, rows: [STAR, { ...TLS, tcp_entrypoint: 'ssh' }] },
    ],
    [
      'takes no TCP route without TLS',
      { ...both, rows: [STAR, { ...TLS, tcp_entrypoint: 'ssh', ssl_enabled: false }] },
    ],
    [
      'takes no name that it does not cover',
      { ...both, rows: [STAR, { ...TLS, domain: 'db.sub.example.com' }] },
    ],
    ['takes no HTTP route', { ...both, rows: [STAR, { ...A, tcp_entrypoint: 'websecure' }] }],
    [
      'takes nothing that is managed elsewhere',
      { ...both, rows: [STAR, { ...TLS, protocol: 'tcp', service_type: 'manual' }] },
    ],
    ['is none where it is no star', { ...both, rows: [{ ...STAR, domain: 'example.com' }, TLS] }],
    ['is none without TLS', { ...both, rows: [{ ...STAR, ssl_enabled: false }, TLS] }],
    [
      'is none over TCP',
      { ...both, rows: [{ ...STAR, service_type: 'tcp-proxy', tcp_entrypoint: 'websecure' }, TLS] },
    ],
    ['is left where both stood before', { ...both, released: [STAR, TLS], rows: [A] }],
    ['is none that is not live', { ...both, rows: [{ ...STAR, live: false }, TLS] }],
  ])('%s', (_what, scene) => {
    expect(refusal(scene)).toBeNull()
  })

  it.each<[what: string, scene: Scene, refused_id: number]>([
    ['beside both that come', both, 9],
    ['that comes', { ...both, released: [TLS], rows: [STAR] }, 8],
    ['under which a TCP route comes', { ...both, released: [STAR], rows: [TLS] }, 9],
  ])('would take what is another’s: %s', (_what, scene, refused_id) => {
    expect(refusal(scene)).toEqual({
      domain_id: 8,
      refused_id,
      message:
        '*.example.com (domain 8, HTTPS) would take every TLS connection for db.example.com (domain 9, TCP on websecure) ' +
        'before its TCP route is looked at. Give the TCP route an entrypoint of its own, or the HTTPS route single names.',
    })
  })

  it('is told with each of those that it would take', () => {
    const live = [STAR, TLS, { ...TLS, domain_id: 10, domain: 'mail.example.com' }, A].map(aRow)
    const pairs = shadowedPairs(live, STAR_FIRST).map(({ star, row }) => [star.domain_id, row.domain_id])
    expect(pairs).toEqual([
      [8, 9],
      [8, 10],
    ])
  })
})

describe('of several rows', () => {
  const among = ({ released = [], rows, doors = DOORS }: Scene) => {
    const found = releasableAmong(anIntent(...released), rowsOf(rows), doors, [])
    const refused = found.refused.map(({ domain_id, domain, code }) => [domain_id, domain, code])
    return { rows: found.rows.map(({ domain_id }) => domain_id), refused }
  }

  it('all go where none is in the way of another', () => {
    expect(among({ released: [A], rows: [{ ...A, revision: 2 }, B] })).toEqual({ rows: [1, 2], refused: [] })
  })

  it('those go that may, and each of the others is told why', () => {
    const C: RowWish = { domain_id: 3, domain: 'c.example.com' }
    const scene = {
      released: [A],
      rows: [
        { ...B, domain: A.domain! },
        { ...C, ...PLAIN, tcp_entrypoint: 'mysql' },
        { ...C, domain_id: 4, domain: 'd.example.com' },
      ],
    }
    expect(among(scene)).toEqual({
      rows: [4],
      refused: [
        [2, 'a.example.com', 'conflict'],
        [3, 'c.example.com', 'conflict'],
      ],
    })
  })

  it('the message is that of what stands in its way', () => {
    const [refused] = releasableAmong(anIntent(A), rowsOf([{ ...B, domain: A.domain! }]), DOORS, []).refused
    expect(refused!.message).toContain('Deploy domain 1 first.')
  })

  it('nobody is sent to deploy what is left out itself', () => {
    const left_out = { domain_id: 1, domain: A.domain!, code: 'provider_refused', message: 'No.' } as const
    // Three that pass their names on in a ring, of which the first cannot be carried out.
    const C: RowWish = { domain_id: 3, domain: 'c.example.com' }
    const rows = rowsOf([
      { ...B, domain: A.domain! },
      { ...C, domain: B.domain! },
    ])
    expect(releasableAmong(anIntent(A, B, C), rows, DOORS, [left_out]).refused).toMatchObject([
      {
        domain_id: 2,
        message:
          'a.example.com cannot be deployed: the name a.example.com is still deployed for domain 1, which is left out too: ' +
          'mend first what it is refused for.',
      },
      { domain_id: 3, message: expect.stringContaining('domain 2, which is left out too') },
    ])
  })

  it('two that stand already and hold one thing are nobody’s to take out', () => {
    const scene = { released: [A, { ...B, domain: A.domain! }], rows: [{ ...B, domain_id: 3 }, 4] }
    expect(() => among(scene)).toThrow('is still deployed for')
  })

  it('a bug is no reason to leave one out', () => {
    expect(() => releasableAmong(null as never, rowsOf([A]), DOORS, [])).toThrow(TypeError)
  })
})
