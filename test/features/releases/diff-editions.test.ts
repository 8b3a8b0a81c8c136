/** What lies between two editions, for someone outside. */
import { expect, it } from 'vitest'
import type { Intent } from '../../../src/model/intent.ts'
import { diffEditions } from '../../../src/features/releases/diff-editions.ts'
import { edition, off, row } from './rows.ts'

const PORT = { backend_port: { before: 8080, after: 9 } }
const named = (domain_id: number, label: string) => ({ domain_id, domain: `${label}.example.com` })

it.each<[string, Intent, Intent, Partial<ReturnType<typeof diffEditions>>]>([
  ['equal editions', edition(row(1, 'a')), edition(row(1, 'a')), {}],
  ['a record that came', edition(), edition(row(1, 'a')), { added: [named(1, 'a')] }],
  ['a record that went', edition(row(1, 'a')), edition(), { removed: [named(1, 'a')] }],
  [
    'a record that went off line',
    edition(row(1, 'a')),
    edition(off(row(1, 'a'))),
    { removed: [named(1, 'a')] },
  ],
  ['a record that was off line and is gone', edition(off(row(1, 'a'))), edition(), {}],
  [
    'an edited record',
    edition(row(1, 'a')),
    edition(row(1, 'a', { backend_port: 9 })),
    { changed: [{ ...named(1, 'a'), fields: PORT }] },
  ],
  [
    'a renamed record',
    edition(row(1, 'a')),
    edition(row(1, 'b')),
    {
      changed: [
        { ...named(1, 'b'), fields: { domain: { before: 'a.example.com', after: 'b.example.com' } } },
      ],
    },
  ],
  [
    'a record that was deleted and created anew',
    edition(row(1, 'a')),
    edition(row(2, 'a', { backend_port: 9 })),
    { changed: [{ ...named(2, 'a'), fields: { id: { before: 1, after: 2 }, ...PORT } }] },
  ],
  [
    'a name that went from one record to another',
    edition(row(1, 'a'), row(2, 'b')),
    edition(row(2, 'a')),
    {
      removed: [named(1, 'a')],
      changed: [
        { ...named(2, 'a'), fields: { domain: { before: 'b.example.com', after: 'a.example.com' } } },
      ],
    },
  ],
])('%s', (_title, before, after, expected) => {
  expect(diffEditions(before, after)).toEqual({ added: [], removed: [], changed: [], ...expected })
})
