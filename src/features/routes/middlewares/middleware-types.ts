/**
 * What a hand-written HTTP middleware may say: Traefik's 26 types and their keys.
 *
 * One unknown key makes Traefik refuse every file of its provider, so the operator's own entries are checked against this
 * table before they come near the file. Keys that Traefik still reads but that do nothing any more (`sslRedirect`,
 * `forceSlash` …) are left out. Source: Traefik 3.7 dynamic configuration.
 */
import { atLeast, type Version } from '../render/settings.ts'

/**
 * - `span`: a Go duration (`10s`) or whole seconds
 * - `texts`: a list of texts
 * - `headers`: a map of header names to texts
 * - `statuses`: a map of texts to status codes
 * - `anything`: plain data of any shape
 */
export type Scalar = 'text' | 'whole' | 'flag' | 'span' | 'texts' | 'headers' | 'statuses' | 'anything'
export interface Keys {
  readonly [key: string]: Scalar | Keys
}

const IP_STRATEGY: Keys = { depth: 'whole', excludedIPs: 'texts', ipv6Subnet: 'whole' }
const SOURCE: Keys = { ipStrategy: IP_STRATEGY, requestHeaderName: 'text', requestHost: 'flag' }
const CLIENT_TLS: Keys = { ca: 'text', cert: 'text', insecureSkipVerify: 'flag', key: 'text' }
const LOGIN: Keys = {
  headerField: 'text',
  realm: 'text',
  removeHeader: 'flag',
  users: 'texts',
  usersFile: 'text',
}
const ISSUER: Keys = {
  commonName: 'flag',
  country: 'flag',
  domainComponent: 'flag',
  locality: 'flag',
  organization: 'flag',
  province: 'flag',
  serialNumber: 'flag',
}

export const MIDDLEWARE_TYPES: Readonly<Record<string, Keys>> = {
  addPrefix: { prefix: 'text' },
  basicAuth: LOGIN,
  buffering: {
    maxRequestBodyBytes: 'whole',
    maxResponseBodyBytes: 'whole',
    memRequestBodyBytes: 'whole',
    memResponseBodyBytes: 'whole',
    retryExpression: 'text',
  },
  chain: { middlewares: 'texts' },
  circuitBreaker: {
    checkPeriod: 'span',
    expression: 'text',
    fallbackDuration: 'span',
    recoveryDuration: 'span',
    responseCode: 'whole',
  },
  compress: {
    defaultEncoding: 'text',
    encodings: 'texts',
    excludedContentTypes: 'texts',
    includedContentTypes: 'texts',
    minResponseBodyBytes: 'whole',
  },
  contentType: { autoDetect: 'flag' },
  digestAuth: LOGIN,
  encodedCharacters: {
    allowEncodedBackSlash: 'flag',
    allowEncodedHash: 'flag',
    allowEncodedNullCharacter: 'flag',
    allowEncodedPercent: 'flag',
    allowEncodedQuestionMark: 'flag',
    allowEncodedSemicolon: 'flag',
    allowEncodedSlash: 'flag',
  },
  errors: {
    errorRequestHeaders: 'texts',
    query: 'text',
    service: 'text',
    status: 'texts',
    statusRewrites: 'statuses',
  },
  forwardAuth: {
    addAuthCookiesToResponse: 'texts',
    address: 'text',
    authRequestHeaders: 'texts',
    authResponseHeaders: 'texts',
    authResponseHeadersRegex: 'text',
    authSigninURL: 'text',
    forwardBody: 'flag',
    headerField: 'text',
    maxBodySize: 'whole',
    maxResponseBodySize: 'whole',
    preserveLocationHeader: 'flag',
    preserveRequestMethod: 'flag',
    tls: CLIENT_TLS,
    trustForwardHeader: 'flag',
  },
  grpcWeb: { allowOrigins: 'texts' },
  headers: {
    accessControlAllowCredentials: 'flag',
    accessControlAllowHeaders: 'texts',
    accessControlAllowMethods: 'texts',
    accessControlAllowOriginList: 'texts',
    accessControlAllowOriginListRegex: 'texts',
    accessControlExposeHeaders: 'texts',
    accessControlMaxAge: 'whole',
    addVaryHeader: 'flag',
    allowedHosts: 'texts',
    browserXssFilter: 'flag',
    contentSecurityPolicy: 'text',
    contentSecurityPolicyReportOnly: 'text',
    contentTypeNosniff: 'flag',
    customBrowserXSSValue: 'text',
    customFrameOptionsValue: 'text',
    customRequestHeaders: 'headers',
    customResponseHeaders: 'headers',
    forceSTSHeader: 'flag',
    frameDeny: 'flag',
    hostsProxyHeaders: 'texts',
    isDevelopment: 'flag',
    permissionsPolicy: 'text',
    publicKey: 'text',
    referrerPolicy: 'text',
    sslProxyHeaders: 'headers',
    stsIncludeSubdomains: 'flag',
    stsPreload: 'flag',
    stsSeconds: 'whole',
  },
  inFlightReq: { amount: 'whole', sourceCriterion: SOURCE },
  ipAllowList: { ipStrategy: IP_STRATEGY, rejectStatusCode: 'whole', sourceRange: 'texts' },
  ipWhiteList: { ipStrategy: IP_STRATEGY, sourceRange: 'texts' },
  passTLSClientCert: {
    info: {
      issuer: ISSUER,
      notAfter: 'flag',
      notBefore: 'flag',
      sans: 'flag',
      serialNumber: 'flag',
      subject: { ...ISSUER, organizationalUnit: 'flag' },
    },
    pem: 'flag',
  },
  plugin: {},
  rateLimit: {
    average: 'whole',
    burst: 'whole',
    period: 'span',
    redis: {
      db: 'whole',
      dialTimeout: 'span',
      endpoints: 'texts',
      maxActiveConns: 'whole',
      minIdleConns: 'whole',
      password: 'text',
      poolSize: 'whole',
      readTimeout: 'span',
      tls: CLIENT_TLS,
      username: 'text',
      writeTimeout: 'span',
    },
    sourceCriterion: SOURCE,
  },
  redirectRegex: { permanent: 'flag', regex: 'text', replacement: 'text' },
  redirectScheme: { permanent: 'flag', port: 'text', scheme: 'text' },
  replacePath: { path: 'text' },
  replacePathRegex: { regex: 'text', replacement: 'text' },
  retry: {
    attempts: 'whole',
    disableRetryOnNetworkError: 'flag',
    initialInterval: 'span',
    maxRequestBodyBytes: 'whole',
    retryNonIdempotentMethod: 'flag',
    status: 'texts',
    timeout: 'span',
  },
  stripPrefix: { prefixes: 'texts' },
  stripPrefixRegex: { regex: 'texts' },
}

/** The first version that knows a type or a `type.key`, at any depth; what is not listed is as old as version 3. */
const SINCE: Readonly<Record<string, Version>> = {
  'headers.contentSecurityPolicyReportOnly': [3, 1, 0],
  'compress.defaultEncoding': [3, 1, 0],
  'compress.encodings': [3, 2, 0],
  'forwardAuth.headerField': [3, 2, 0],
  'inFlightReq.ipv6Subnet': [3, 2, 0],
  'ipAllowList.ipv6Subnet': [3, 2, 0],
  'ipWhiteList.ipv6Subnet': [3, 2, 0],
  'rateLimit.ipv6Subnet': [3, 2, 0],
  'forwardAuth.forwardBody': [3, 3, 0],
  'forwardAuth.maxBodySize': [3, 3, 0],
  'forwardAuth.preserveLocationHeader': [3, 3, 0],
  'forwardAuth.preserveRequestMethod': [3, 4, 0],
  'errors.statusRewrites': [3, 4, 0],
  'rateLimit.redis': [3, 4, 0],
  'forwardAuth.maxResponseBodySize': [3, 6, 9],
  'errors.errorRequestHeaders': [3, 6, 15],
  'forwardAuth.authSigninURL': [3, 7, 0],
  encodedCharacters: [3, 7, 0],
  'retry.disableRetryOnNetworkError': [3, 7, 0],
  'retry.maxRequestBodyBytes': [3, 7, 0],
  'retry.retryNonIdempotentMethod': [3, 7, 0],
  'retry.status': [3, 7, 0],
  'retry.timeout': [3, 7, 0],
}

const OLDEST: Version = [3, 0, 0]

/** The first Traefik version that takes a middleware of this type with these keys, whatever their depth. */
export const knownSince = (type: string, keys: readonly string[]): Version =>
  [type, ...keys.map((key) => `${type}.${key}`)]
    .map((name) => SINCE[name] ?? OLDEST)
    .reduce((latest, version) => (atLeast(latest, version) ? latest : version))
