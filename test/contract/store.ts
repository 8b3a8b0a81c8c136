/**
 * What every store must promise, as one suite. Run it on each adapter:
 * `storeContract(async () => ({ store, close, reopen }))`.
 */
import { describe } from 'vitest'
import { domainsContract } from './store/domains.ts'
import { editionsContract } from './store/editions.ts'
import { engineMemoryContract } from './store/engine-memory.ts'
import type { OpenStore } from './store/opened.ts'
import { pagesContract } from './store/pages.ts'
import { randomWalkContract } from './store/random-walk.ts'
import { releasesContract } from './store/releases.ts'
import { transactionsContract } from './store/transactions.ts'

export function storeContract(open: OpenStore): void {
  describe('domain records', () => domainsContract(open))
  describe('pages of domain records', () => pagesContract(open))
  describe('transactions', () => transactionsContract(open))
  describe('editions', () => editionsContract(open))
  describe('releases', () => releasesContract(open))
  describe('what the engine remembers', () => engineMemoryContract(open))
  describe('a long random life', () => randomWalkContract(open))
}
