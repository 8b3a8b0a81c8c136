/** That a name has a record already, in the words of every refusal. Pure. */
import { Failure } from '../../kernel/failure.ts'
import type { DomainRecord } from './record.ts'

export function nameTaken({ id, domain, status }: Pick<DomainRecord, 'id' | 'domain' | 'status'>): Failure {
  const way_out =
    status === 'disabled'
      ? ` It is disabled for good and keeps its name: delete it (DELETE /api/domains/${id}), then the name is free.`
      : ''
  const message = `The name ${domain} is taken by domain ${id}, which is ${status}.${way_out}`
  return new Failure('name_taken', message, { facts: { domain_id: id } })
}
