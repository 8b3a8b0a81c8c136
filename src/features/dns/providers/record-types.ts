/** Names and numbers of record types (IANA "Resource Record (RR) TYPEs"), and `TYPE123` for the rest (RFC 3597 §5). */
const CODES: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  X25: 19,
  ISDN: 20,
  RT: 21,
  NSAP: 22,
  SIG: 24,
  KEY: 25,
  PX: 26,
  GPOS: 27,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
}
const NAMES = new Map(Object.entries(CODES).map(([name, code]) => [code, name]))

/** OPT, and the numbers kept for questions and the transport (RFC 6895 §3.1): never data of a zone. */
const isMeta = (code: number): boolean => code === 0 || code === 41 || (code >= 128 && code <= 255)

/** The number of a type that can stand in a zone, or null. Any case. */
export function typeCode(type: string): number | null {
  const upper = type.toUpperCase()
  if (Object.hasOwn(CODES, upper)) return CODES[upper]!
  const code = /^TYPE(\d{1,5})$/.exec(upper)?.[1]
  return code === undefined || Number(code) > 65_535 || isMeta(Number(code)) ? null : Number(code)
}

export const typeName = (code: number): string => NAMES.get(code) ?? `TYPE${code}`
export const KNOWN_TYPES: readonly string[] = Object.keys(CODES)
