/** The reading half of the store port, over whatever `use` gives: the database, or a transaction on it. */
import type { Kysely } from 'kysely'
import type { StoreReader } from '../ports/store.ts'
import { rememberedAnswer } from './intent/answers.ts'
import { artifactAt, artifactOf } from './intent/artifacts.ts'
import { auditTrail } from './intent/audit-trail.ts'
import { conditions } from './intent/conditions.ts'
import { countDomains, damagedById, domainById, domainByName, pageOfDomains } from './intent/domains.ts'
import { applied, attempts, deployStatus, modes } from './memory/engine.ts'
import { eventsAfter } from './intent/events.ts'
import { openSteps } from './intent/journal.ts'
import { openActivations } from './intent/open-activations.ts'
import { committedBy, operationById, operationsOf } from './intent/operations.ts'
import { planById } from './intent/plans.ts'
import { lastReleaseOf, pageOfReleases, releaseByNumber } from './intent/release-history.ts'
import { releasedAt } from './intent/released-at.ts'
import { revertsSince } from './intent/reverts.ts'
import { unservedRecords } from './intent/unserved.ts'
import type { Tables } from './tables.ts'

export interface ReaderSource {
  /** The handle to read with; throws when reading is not allowed now. */
  readonly use: () => Kysely<Tables>
  readonly intent: StoreReader['intent']
  readonly latestRelease: StoreReader['latestRelease']
  readonly damagedRecords: StoreReader['damagedRecords']
  readonly of: StoreReader['of']
}

export const readerOn = ({ use, ...kept }: ReaderSource): StoreReader => ({
  domain: async (id) => domainById(use(), id),
  domainByName: async (name) => domainByName(use(), name),
  damagedRecord: async (id) => damagedById(use(), id),
  domains: async (query) => pageOfDomains(use(), query),
  domainCounts: async () => countDomains(use(), await kept.damagedRecords()),
  ...kept,
  artifact: async (key) => artifactOf(use(), key),
  applied: async () => applied(use()),
  openSteps: async () => openSteps(use()),
  openActivations: async () => openActivations(use()),
  unservedRecords: async () => unservedRecords(use()),
  attempts: async () => attempts(use()),
  modes: async () => modes(use()),
  deployStatus: async () => deployStatus(use()),
  rememberedAnswer: async (key) => rememberedAnswer(use(), key),
  releases: async (page) => pageOfReleases(use(), page),
  release: async (number) => releaseByNumber(use(), number),
  lastReleaseOf: async (domain_id) => lastReleaseOf(use(), domain_id),
  releasedAt: async (number) => releasedAt(use(), number),
  artifactAt: async (number, key) => artifactAt(use(), number, key),
  auditTrail: async (query) => auditTrail(use(), query),
  plan: async (id) => planById(use(), id),
  conditions: async () => conditions(use()),
  eventsAfter: async (id, limit) => eventsAfter(use(), id, limit),
  operation: async (id) => operationById(use(), id),
  operations: async (query) => operationsOf(use(), query),
  committedBy: async (call) => committedBy(use(), call),
  revertsSince: async (key, since) => revertsSince(use(), key, since),
})
