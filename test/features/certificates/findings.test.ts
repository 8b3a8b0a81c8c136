/** Certificates are judged by their own time, and only where a deployed domain has no better one. */
import { describe, expect, it } from 'vitest'
import { overdueCertificates, type Renewable, stageOf } from '../../../src/features/certificates/findings.ts'
import { isIndeterminate } from '../../../src/features/notifications/observation.ts'
import { MINUTE_MS, T0 } from '../notifications/samples.ts'

const DAY_MS = 24 * 60 * MINUTE_MS

describe('a certificate', () => {
  const long = { not_before: T0, not_after: T0 + 90 * DAY_MS, renewal_at: T0 + 60 * DAY_MS }
  const short = { not_before: T0, not_after: T0 + 6 * DAY_MS, renewal_at: T0 + 4 * DAY_MS }

  it.each<[string, typeof long, number, string | null]>([
    ['of 90 days, 30 before its end', long, 60.1, null],
    ['of 90 days, well past its renewal', long, 64.6, 'notice'],
    ['of 90 days, 15 before its end', long, 75, 'notice'],
    ['of 90 days, 14 before its end', long, 76, 'warning'],
    ['of 90 days, 3 before its end', long, 87, 'urgent'],
    ['of 90 days, at its end', long, 90, 'critical'],
    ['of six days, when it is new', short, 0.1, null],
    ['of six days, 3 before its end', short, 3.1, null],
    ['of six days, past its renewal', short, 4.31, 'urgent'],
    ['of six days, at its end', short, 6, 'critical'],
  ])('%s', (_name, certificate, day, severity) => {
    expect(stageOf(certificate, [14, 3], T0 + day * DAY_MS)?.severity ?? null).toBe(severity)
  })

  const held = (fields: Partial<Renewable> = {}): Renewable => ({
    ...long,
    source: 'proxy',
    place: 'letsencrypt',
    names: ['app.example.com'],
    detail: null,
    ...fields,
  })
  const at = (day: number, domains = ['app.example.com'], unknown: Renewable['source'][] = []) => ({
    now: T0 + day * DAY_MS,
    days: [14, 3],
    domains,
    unknown,
  })

  it('counts where a deployed domain has no better one', () => {
    const kinds = (certificates: Renewable[], domains?: string[]) =>
      overdueCertificates(certificates, at(91, domains)).findings.map(({ kind }) => kind)
    expect(kinds([held()])).toEqual(['certificate_expired'])
    expect(kinds([held()], ['other.example.com']), 'nobody is served by it').toEqual([])
    const star = held({
      names: ['*.example.com'],
      not_after: T0 + 200 * DAY_MS,
      renewal_at: T0 + 170 * DAY_MS,
    })
    expect(kinds([held(), star]), 'another one lasts longer').toEqual([])
    expect(kinds([held({ names: ['*.example.com'] })], ['a.b.example.com']), 'a star is one label').toEqual(
      [],
    )
  })

  it('names all that it serves in one trouble, and why it was not renewed', () => {
    const names = ['a.example.com', 'b.example.com']
    const { findings } = overdueCertificates(
      [held({ source: 'manager', names, detail: 'CAA forbids it.' })],
      at(77, names),
    )
    expect(findings).toMatchObject([{ kind: 'certificate_due', severity: 'warning', domains: names }])
    expect(findings[0]!.message).toContain('CAA forbids it.')
  })

  it('of a store that cannot be read is not over', () => {
    const [trouble] = overdueCertificates([held()], at(91)).findings
    expect(isIndeterminate(overdueCertificates([], at(91, [], ['proxy'])), trouble!.id)).toBe(true)
    expect(isIndeterminate(overdueCertificates([], at(91, [], ['manager'])), trouble!.id)).toBe(false)
  })
})
