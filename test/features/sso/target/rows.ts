/** Rows of an intent for rules. */
import type { DomainFields } from '../../../../src/model/domain/record.ts'
import type { IntentRow } from '../../../../src/model/intent.ts'
import { aRow } from '../../../fixtures.ts'

let next = 1

/** A row of its own, with a number that no other has. */
export const rowOf = (fields: Partial<DomainFields> & Pick<DomainFields, 'domain'>): IntentRow =>
  aRow({ domain_id: next++, service_type: 'http', ...fields })
