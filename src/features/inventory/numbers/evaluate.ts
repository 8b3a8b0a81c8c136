/** What a VMID says, and what is wrong with it. Pure. */
import { addressFor, type AddressScheme } from './address-scheme.ts'
import type { Names } from './names.ts'
import { decode, MAX_VMID, MIN_VMID, type Parts, type Scheme } from './scheme.ts'
import type { PROBLEM_CODES, DecodedVmid, ValidatedVmid } from '../views.ts'

export interface Numbering {
  readonly scheme: Scheme
  /** Null while the nodes are not known: nobody numbered them, and no cluster tells them. */
  readonly nodes: Names | null
  readonly purposes: Names
  readonly address: AddressScheme
}

/** Outside of the scheme every part is null. */
export function decoded(numbering: Numbering, vmid: number): DecodedVmid {
  const parts = decode(numbering.scheme, vmid)
  const in_scheme = parts === null ? false : isKnown(numbering, parts)
  if (parts === null || in_scheme === false) return { vmid, in_scheme: false, ...NOTHING }
  return {
    vmid,
    in_scheme,
    node: numbering.nodes?.get(parts.node) ?? null,
    node_number: parts.node,
    purpose: numbering.purposes.get(parts.purpose) ?? null,
    purpose_number: parts.purpose,
    sequence: parts.sequence,
    address: addressFor(numbering, vmid, parts)?.address ?? null,
  }
}

const NOTHING = {
  node: null,
  node_number: null,
  purpose: null,
  purpose_number: null,
  sequence: null,
  address: null,
}

function isKnown({ nodes, purposes }: Numbering, { node, purpose, sequence }: Parts): boolean | null {
  if (sequence === 0 || !purposes.has(purpose)) return false
  return nodes === null ? null : nodes.has(node)
}

export interface VmidProblem {
  readonly code: (typeof PROBLEM_CODES)[number]
  readonly message: string
}

export function validated(numbering: Numbering, vmid: number): ValidatedVmid {
  const problems = problemsOf(numbering, vmid)
  const is_open = problems.length > 0 && problems.every(({ code }) => code === 'nodes_not_known')
  return { vmid, valid: is_open ? null : problems.length === 0, problems }
}

function problemsOf(numbering: Numbering, vmid: number): readonly VmidProblem[] {
  const { scheme, nodes, purposes } = numbering
  if (vmid < MIN_VMID || vmid > MAX_VMID)
    return [{ code: 'out_of_range', message: `Proxmox VE takes ${MIN_VMID} to ${MAX_VMID}.` }]
  const parts = decode(scheme, vmid)
  if (parts === null) {
    const message = `The scheme ${scheme.letters} has ${scheme.letters.length} digits.`
    return [{ code: 'too_many_digits', message }]
  }
  const problems: VmidProblem[] = []
  if (nodes === null)
    problems.push({
      code: 'nodes_not_known',
      message: 'No cluster tells its nodes now. Set PLUMBLINE_VMID_NODES, or see the sources.',
    })
  else if (!nodes.has(parts.node))
    problems.push({ code: 'unknown_node', message: `No node has the number ${parts.node}.` })
  if (!purposes.has(parts.purpose))
    problems.push({ code: 'unknown_purpose', message: `No purpose has the number ${parts.purpose}.` })
  if (parts.sequence === 0)
    problems.push({ code: 'no_sequence', message: 'The sequence is 0; it counts from 1.' })
  else if (addressFor(numbering, vmid, parts) === null)
    problems.push({ code: 'no_address', message: 'The address scheme gives it no address of a host.' })
  return problems
}
