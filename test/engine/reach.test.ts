/** What of the world a call works on, as far as components go. */
import { expect, it } from 'vitest'
import { type Reach, reaches } from '../../src/engine/reach.ts'

const DNS = { name: 'dns' }
/** No release concerns it. */
const KEYS = { name: 'keys', constant: true } as const

it.each<[what: string, reach: Omit<Reach, 'records'>, dns: boolean, keys: boolean]>([
  ['all that releases concern', {}, true, false],
  ['everything', { everything: true }, true, true],
  ['one component', { component: 'dns' }, true, false],
  ['one that no release concerns', { component: 'keys' }, false, true],
  ['all but one', { except: ['dns'] }, false, false],
  ['everything but one', { everything: true, except: ['dns'] }, false, true],
  ['nothing of one that is left out', { component: 'dns', except: ['dns'] }, false, false],
  ['one beside another that is left out', { component: 'dns', except: ['keys'] }, true, false],
])('a call reaches %s', (_what, reach, dns, keys) => {
  const of_all = { records: 'all', ...reach } as const
  expect([reaches(of_all, DNS), reaches(of_all, KEYS)]).toEqual([dns, keys])
})
