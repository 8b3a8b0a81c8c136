/** Why a set cannot be adopted, and what helps. Pure. */
import { Failure } from '../../../kernel/failure.ts'
import { rrsetWords } from '../../../model/network/dns.ts'
import type { DnsRecordView, RecordState } from '../views.ts'
import type { RemovableBecause } from './leftover.ts'

/** @param because why it is to be taken away; null where it is not */
export function notAdoptable(
  item: string,
  record: DnsRecordView | undefined,
  because: RemovableBecause | null,
): Failure {
  if (record === undefined)
    return new Failure(
      'not_found',
      `${item} is at no name that a domain of ours has. Create the domain first.`,
    )
  const { state, detail } = record
  if (because !== null && record.desired === null)
    return new Failure(
      'conflict',
      `${item} cannot be adopted: it is ours already and is to be taken away, because ${BECAUSE[because]}. ` +
        `To keep it as it is, give it up: plumbline dns release ${rrsetWords(record)}. To keep it as ours, deploy a domain of this name.`,
    )
  const why = [WHY[state] ?? null, detail === null ? null : sentence(detail)].filter((one) => one !== null)
  return new Failure(
    'conflict',
    `${item} cannot be adopted. ${why.length === 0 ? `It is ${state}.` : why.join(' ')}`,
  )
}

const BECAUSE: Readonly<Record<RemovableBecause, string>> = {
  retired: 'its domain was disabled or deleted',
  unpublished: 'its domain is internal now, or managed elsewhere',
  renamed: 'its domain has another name now',
  other_family: 'its domain names an address of the other family',
  asked: 'somebody asked for that',
}

const OURS = 'It is ours already.'

/** States whose detail tells what comes next, and not why. */
const WHY: Readonly<Partial<Record<RecordState, string>>> = {
  absent: 'Nothing stands there.',
  lost: 'It is ours, and somebody has taken it away.',
  owned: OURS,
  applying: OURS,
  removing: OURS,
  unmarked: OURS,
  adopted: OURS,
  releasing: 'It is being given up.',
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
