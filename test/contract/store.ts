/**
 * What every store must promise, as one suite. Run it on each adapter:
 * `storeContract(async () => ({ store, close, reopen }))`.
 */
import { describe } from 'vitest'
import { auditTrailContract } from './store/audit-trail.ts'
import { conditionsContract } from './store/conditions.ts'
import { certificatesContract } from './store/certificates.ts'
import { dnsContract } from './store/dns.ts'
import { domainsContract } from './store/domains.ts'
import { edgesContract } from './store/edges.ts'
import { editionsContract } from './store/editions.ts'
import { engineMemoryContract } from './store/engine-memory.ts'
import { eventsContract } from './store/events.ts'
import { historyContract } from './store/history.ts'
import { historyFoldContract } from './store/history-fold.ts'
import { notificationsContract } from './store/notifications.ts'
import type { OpenStore } from './store/opened.ts'
import { operationsContract } from './store/operations.ts'
import { pagesContract } from './store/pages.ts'
import { peopleContract } from './store/people.ts'
import { plansContract } from './store/plans.ts'
import { randomWalkContract } from './store/random-walk.ts'
import { releasesContract } from './store/releases.ts'
import { ssoContract } from './store/sso.ts'
import { sshClientsContract } from './store/ssh-clients.ts'
import { transactionsContract } from './store/transactions.ts'

export function storeContract(open: OpenStore): void {
  describe('domain records', () => domainsContract(open))
  describe('pages of domain records', () => pagesContract(open))
  describe('transactions', () => transactionsContract(open))
  describe('editions', () => editionsContract(open))
  describe('releases', () => releasesContract(open))
  describe('releases, looking back', () => historyContract(open))
  describe('any history of releases', () => historyFoldContract(open))
  describe('what the engine remembers', () => engineMemoryContract(open))
  describe('plans and confirmations', () => plansContract(open))
  describe('conditions and reverts', () => conditionsContract(open))
  describe('the audit trail', () => auditTrailContract(open))
  describe('events', () => eventsContract(open))
  describe('DNS and dynamic DNS', () => dnsContract(open))
  describe('certificates', () => certificatesContract(open))
  describe('people and mails', () => peopleContract(open))
  describe('single sign-on', () => ssoContract(open))
  describe('SSH clients', () => sshClientsContract(open))
  describe('edges', () => edgesContract(open))
  describe('notifications', () => notificationsContract(open))
  describe('operations', () => operationsContract(open))
  describe('a long random life', () => randomWalkContract(open))
}
