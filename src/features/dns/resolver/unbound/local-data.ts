/** One record of `local-data`, as a zone file would have it. Pure. */
import { canonicalAddress } from '../../../../model/network/address.ts'
import type { Override } from '../../../../model/resolver/view.ts'
import { plainName } from '../plain-name.ts'

const CLASSES = /^(?:in|ch|hs)$/i

/** Null for what is no record with a name of the model. */
export function localData(text: string, source: string): Override | null {
  const [owner = '', ...fields] = text.trim().split(/\s+/)
  while (fields.length > 0 && (/^\d+[smhdw\d]*$/i.test(fields[0]!) || CLASSES.test(fields[0]!)))
    fields.shift()
  const [type_text = '', data = ''] = fields
  const type = type_text.toUpperCase()
  const name = plainName(owner)
  if (name === null || type === '') return null
  const value = valueOf(type, data)
  return value === null ? null : { name, scope: 'exact', type, value, source }
}

function valueOf(type: string, data: string): string | null {
  if (type === 'A' || type === 'AAAA') return canonicalAddress(data)
  return type === 'CNAME' ? plainName(data) : ''
}
