/** The 26 HTTP middlewares of version 3.7 and the three of TCP, with all their keys (reference, §4). */
import {
  ANYTHING,
  DURATION,
  fields,
  FILE,
  FLAG,
  type Fields,
  listOf,
  mapOf,
  struct,
  switchable,
  TEXT,
  TEXTS,
  WHOLE,
} from './schema.ts'

const IP_STRATEGY = { depth: WHOLE, excludedIPs: TEXTS, ipv6Subnet: WHOLE }
const SOURCE = struct({ ipStrategy: struct(IP_STRATEGY), requestHeaderName: TEXT, requestHost: FLAG })
const CLIENT_TLS = { ca: FILE, cert: FILE, key: FILE, insecureSkipVerify: FLAG }
const LOGIN = { users: TEXTS, usersFile: TEXT, realm: TEXT, removeHeader: FLAG, headerField: TEXT }
const ISSUER = fields(
  FLAG,
  'commonName',
  'country',
  'domainComponent',
  'locality',
  'organization',
  'province',
  'serialNumber',
)

const HEADERS: Fields = {
  ...fields(
    TEXT,
    'contentSecurityPolicy',
    'contentSecurityPolicyReportOnly',
    'customBrowserXSSValue',
    'customFrameOptionsValue',
    'featurePolicy',
    'permissionsPolicy',
    'publicKey',
    'referrerPolicy',
    'sslHost',
  ),
  ...fields(
    FLAG,
    'accessControlAllowCredentials',
    'addVaryHeader',
    'browserXssFilter',
    'contentTypeNosniff',
    'forceSTSHeader',
    'frameDeny',
    'isDevelopment',
    'sslForceHost',
    'sslRedirect',
    'sslTemporaryRedirect',
    'stsIncludeSubdomains',
    'stsPreload',
  ),
  ...fields(
    TEXTS,
    'accessControlAllowHeaders',
    'accessControlAllowMethods',
    'accessControlAllowOriginList',
    'accessControlAllowOriginListRegex',
    'accessControlExposeHeaders',
    'allowedHosts',
    'hostsProxyHeaders',
  ),
  ...fields(WHOLE, 'accessControlMaxAge', 'stsSeconds'),
  ...fields(mapOf(TEXT), 'customRequestHeaders', 'customResponseHeaders', 'sslProxyHeaders'),
}

const REDIS = struct({
  ...fields(WHOLE, 'db', 'maxActiveConns', 'minIdleConns', 'poolSize'),
  ...fields(DURATION, 'dialTimeout', 'readTimeout', 'writeTimeout'),
  ...fields(TEXT, 'password', 'username'),
  endpoints: TEXTS,
  tls: struct(CLIENT_TLS),
})

export const HTTP_MIDDLEWARES: Fields = {
  addPrefix: struct({ prefix: TEXT }),
  basicAuth: struct(LOGIN),
  buffering: struct({
    ...fields(
      WHOLE,
      'maxRequestBodyBytes',
      'memRequestBodyBytes',
      'maxResponseBodyBytes',
      'memResponseBodyBytes',
    ),
    retryExpression: TEXT,
  }),
  chain: struct({ middlewares: TEXTS }),
  circuitBreaker: struct({
    expression: TEXT,
    ...fields(DURATION, 'checkPeriod', 'fallbackDuration', 'recoveryDuration'),
    responseCode: WHOLE,
  }),
  compress: switchable({
    ...fields(TEXTS, 'excludedContentTypes', 'includedContentTypes', 'encodings'),
    minResponseBodyBytes: WHOLE,
    defaultEncoding: TEXT,
  }),
  contentType: switchable({ autoDetect: FLAG }),
  digestAuth: struct(LOGIN),
  encodedCharacters: struct(
    fields(
      FLAG,
      'allowEncodedBackSlash',
      'allowEncodedHash',
      'allowEncodedNullCharacter',
      'allowEncodedPercent',
      'allowEncodedQuestionMark',
      'allowEncodedSemicolon',
      'allowEncodedSlash',
    ),
  ),
  errors: struct({
    status: TEXTS,
    statusRewrites: mapOf(WHOLE),
    service: TEXT,
    query: TEXT,
    errorRequestHeaders: TEXTS,
  }),
  forwardAuth: struct({
    ...fields(TEXT, 'address', 'authResponseHeadersRegex', 'authSigninURL', 'headerField'),
    ...fields(TEXTS, 'addAuthCookiesToResponse', 'authRequestHeaders', 'authResponseHeaders'),
    ...fields(FLAG, 'forwardBody', 'preserveLocationHeader', 'preserveRequestMethod', 'trustForwardHeader'),
    ...fields(WHOLE, 'maxBodySize', 'maxResponseBodySize'),
    tls: struct({ ...CLIENT_TLS, caOptional: FLAG }),
  }),
  grpcWeb: struct({ allowOrigins: TEXTS }),
  headers: struct(HEADERS),
  inFlightReq: struct({ amount: WHOLE, sourceCriterion: SOURCE }),
  ipAllowList: struct({ sourceRange: TEXTS, ipStrategy: switchable(IP_STRATEGY), rejectStatusCode: WHOLE }),
  ipWhiteList: struct({ sourceRange: TEXTS, ipStrategy: switchable(IP_STRATEGY) }),
  passTLSClientCert: struct({
    pem: FLAG,
    info: struct({
      ...fields(FLAG, 'notAfter', 'notBefore', 'sans', 'serialNumber'),
      issuer: struct(ISSUER),
      subject: struct({ ...ISSUER, organizationalUnit: FLAG }),
    }),
  }),
  plugin: mapOf(ANYTHING),
  rateLimit: struct({
    average: WHOLE,
    burst: WHOLE,
    period: DURATION,
    redis: REDIS,
    sourceCriterion: SOURCE,
  }),
  redirectRegex: struct({ regex: TEXT, replacement: TEXT, permanent: FLAG }),
  redirectScheme: struct({ scheme: TEXT, port: TEXT, permanent: FLAG }),
  replacePath: struct({ path: TEXT }),
  replacePathRegex: struct({ regex: TEXT, replacement: TEXT }),
  retry: struct({
    attempts: WHOLE,
    ...fields(DURATION, 'initialInterval', 'timeout'),
    status: TEXTS,
    maxRequestBodyBytes: WHOLE,
    ...fields(FLAG, 'disableRetryOnNetworkError', 'retryNonIdempotentMethod'),
  }),
  stripPrefix: struct({ prefixes: TEXTS, forceSlash: FLAG }),
  stripPrefixRegex: struct({ regex: TEXTS }),
}

export const TCP_MIDDLEWARES: Fields = {
  inFlightConn: struct({ amount: WHOLE }),
  ipAllowList: struct({ sourceRange: TEXTS }),
  ipWhiteList: struct({ sourceRange: TEXTS }),
}

export const DOMAINS = listOf(struct({ main: TEXT, sans: TEXTS }))
