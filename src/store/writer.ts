/** The writing half of the store port, inside one transaction. */
import type { StoreWriter } from '../ports/store.ts'
import {
  dropAnswer,
  forgetAnswerBodies,
  forgetAnswers,
  forgetMoreAnswers,
  reserveAnswer,
  saveAnswer,
} from './intent/answers.ts'
import { audit, auditAbove } from './intent/audit-trail.ts'
import { dropConditions, saveConditions } from './intent/conditions.ts'
import { deleteDomain, insertDomain, setDomainStatus, reviseDomain } from './intent/edit-domains.ts'
import { clearAttempt, saveApplied, saveAttempt, saveDeployStatus, saveMode } from './memory/engine.ts'
import { addEvent, trimEvents } from './intent/events.ts'
import { beginStep, endStep } from './intent/journal.ts'
import { closeActivation, openActivation } from './intent/open-activations.ts'
import { markUnserved } from './intent/unserved.ts'
import { beginOperation, endOperation, forgetOperations, interruptOperations } from './intent/operations.ts'
import { claimPlan, forgetPlans, savePlan, useConfirmation } from './intent/plans.ts'
import { readerOn } from './reader.ts'
import { addRelease, recordResults } from './intent/releases.ts'
import { addRevert, clearReverts } from './intent/reverts.ts'
import { type Writing, writersOn } from './record-sets.ts'

/**
 * Runs `work` on the open transaction. A write that fails dooms it: even if `work` swallows the error, it is thrown
 * again at the end, because the rows it left half-way must not be committed (other databases end the transaction there).
 */
export async function runWork<T>(
  on: Omit<Writing, 'doom'>,
  work: (tx: StoreWriter) => Promise<T>,
): Promise<T> {
  const failed: unknown[] = []
  const doom = (error: unknown): never => {
    failed.push(error)
    throw error
  }
  const result = await work(writerOn({ ...on, doom }))
  if (failed.length > 0) throw failed[0]
  return result
}

function writerOn(writing: Writing): StoreWriter {
  const { db, memory, doom, close } = writing
  const of = writersOn(writing)
  const working = { db, memory: memory.editions.working }
  return {
    ...readerOn({
      use: () => db,
      intent: async (edition) => memory.editions[edition].staged(),
      latestRelease: async () => memory.stagedHead(),
      damagedRecords: async () => memory.damagedRecords(),
      of,
    }),
    of,
    insertDomain: (fields, at) => insertDomain(working, fields, at).catch(doom),
    reviseDomain: (id, change, at) => {
      if (change.status === 'disabled' || change.status === 'inactive') close()
      return reviseDomain(working, id, { change, at }).catch(doom)
    },
    setDomainStatus: (id, status, status_reason) =>
      setDomainStatus(working, id, { status, status_reason }).catch(doom),
    deleteDomain: (id) => {
      close()
      memory.stageDelete(id)
      return deleteDomain(working, id).catch(doom)
    },
    openActivation: (id, at) => openActivation(db, id, at).catch(doom),
    closeActivation: (id) => closeActivation(db, id).catch(doom),
    markUnserved: (id) => markUnserved(db, id).catch(doom),
    addRelease: (draft) => addRelease(db, memory, draft).catch(doom),
    recordResults: (release, results) => recordResults(db, release, results).catch(doom),
    audit: (entry) => audit(db, entry).catch(doom),
    auditAbove: (entry, number) => auditAbove(db, entry, number).catch(doom),
    beginStep: (step) => beginStep(db, step).catch(doom),
    endStep: (id, outcome, at) => endStep(db, id, { outcome, at }).catch(doom),
    saveApplied: (applied) => saveApplied(db, applied).catch(doom),
    saveAttempt: (attempt) => saveAttempt(db, attempt).catch(doom),
    clearAttempt: (key) => clearAttempt(db, key).catch(doom),
    saveMode: (setting) => saveMode(db, setting).catch(doom),
    saveDeployStatus: (status) => saveDeployStatus(db, status).catch(doom),
    reserveAnswer: (key, request_digest, at) => reserveAnswer(db, key, { request_digest, at }).catch(doom),
    saveAnswer: (key, answer) => saveAnswer(db, key, answer).catch(doom),
    dropAnswer: (key) => dropAnswer(db, key).catch(doom),
    forgetAnswers: (before) => forgetAnswers(db, before).catch(doom),
    forgetMoreAnswers: (beginning, kept) => forgetMoreAnswers(db, beginning, kept).catch(doom),
    forgetAnswerBodies: (kept_bytes) => forgetAnswerBodies(db, kept_bytes).catch(doom),
    savePlan: (plan) => savePlan(db, plan).catch(doom),
    claimPlan: (id, at, release) => claimPlan(db, id, { at, release }).catch(doom),
    forgetPlans: (expired_before) => forgetPlans(db, expired_before).catch(doom),
    useConfirmation: (confirmation) => useConfirmation(db, confirmation).catch(doom),
    saveConditions: (conditions) => saveConditions(db, conditions).catch(doom),
    dropConditions: (component, ids) => dropConditions(db, component, ids).catch(doom),
    addRevert: (revert) => addRevert(db, revert).catch(doom),
    clearReverts: (key) => clearReverts(db, key).catch(doom),
    addEvent: (event) => addEvent(db, event).catch(doom),
    trimEvents: (keep) => trimEvents(db, keep).catch(doom),
    beginOperation: (operation) => beginOperation(db, operation).catch(doom),
    endOperation: (id, end) => endOperation(db, id, end).catch(doom),
    interruptOperations: (at) => interruptOperations(db, at).catch(doom),
    forgetOperations: (before) => forgetOperations(db, before).catch(doom),
  }
}
