/** The least that a zone file must hold for a server to take it. */
export const newZoneText = (zone: string): string => `$ORIGIN ${zone}.
$TTL 3600
@ SOA ns1.servers.test. hostmaster.servers.test. 1 3600 900 1209600 300
@ NS ns1.servers.test.
`
