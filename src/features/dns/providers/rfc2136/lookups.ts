/** Small questions to the server itself: a zone's serial, and whether an alias stands. */
import { Failure } from '../../../../kernel/failure.ts'
import { valueOf, valueOfData } from '../rdata.ts'
import { RecordFault } from '../record-fault.ts'
import { CLASS, type Message, TYPE } from './message.ts'
import { askOnce, malformed, question, type Talk, whereabouts } from './talk.ts'

/** `failure`: the server answers, and is not in charge of the zone. */
export type Serial =
  | { readonly known: true; readonly serial: string }
  | { readonly known: false; readonly failure: Failure }

/** Throws a Failure when the server gives no answer that can be believed. */
export async function soaSerial(talk: Talk, zone: string, signal: AbortSignal): Promise<Serial> {
  try {
    const message = await askOnce(talk, question(zone, 'query', zone, TYPE.SOA), signal)
    const serial = message.authoritative ? serialIn(message, zone) : null
    if (serial !== null) return { known: true, serial }
    const what = `${whereabouts(talk, zone)}: the server is not in charge of the zone. See that it is loaded there as a primary.`
    return { known: false, failure: new Failure('component_unavailable', what) }
  } catch (error) {
    if (error instanceof RecordFault) throw malformed(talk, zone, error)
    if (error instanceof Failure && error.details.facts?.['about_zone'] === true)
      return { known: false, failure: error }
    throw error
  }
}

function serialIn({ answers, bytes }: Message, zone: string): string | null {
  const soa = answers.find(
    ({ name, type, class: klass }) => name === zone && type === TYPE.SOA && klass === CLASS.IN,
  )
  if (soa === undefined) return null
  return valueOfData('SOA', { message: bytes, at: soa.data_at, end: soa.data_end }).split(' ')[2]!
}

export interface Alias {
  readonly zone: string
  readonly name: string
  readonly data: Buffer
}

/** Whether the CNAME set of a name is this one value. */
export async function isAliasThere(
  talk: Talk,
  { zone, name, data }: Alias,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { answers, bytes } = await askOnce(talk, question(zone, 'query', name, TYPE.CNAME), signal)
    return answers
      .filter((record) => record.name === name && record.type === TYPE.CNAME)
      .some(
        ({ data_at, data_end }) =>
          valueOfData('CNAME', { message: bytes, at: data_at, end: data_end }) === valueOf('CNAME', data),
      )
  } catch (error) {
    throw error instanceof RecordFault ? malformed(talk, zone, error) : error
  }
}
