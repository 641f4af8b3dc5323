import { createHash } from 'node:crypto';

/** The password that Java's own tools and lists have. */
const password = 'changeit';

/**
 * The value of `JAVA_TOOL_OPTIONS`, the only variable that all JVMs read: none reads the variables for a proxy or
 * certificates.
 * @param proxy its address
 * @param trusted the file that `toTrustStore` made
 */
export function toJavaOptions(proxy: string, trusted: string): string {
  const { hostname, port } = new URL(proxy);
  const options = ['http', 'https'].flatMap((scheme) => [
    `-D${scheme}.proxyHost=${hostname}`,
    `-D${scheme}.proxyPort=${port}`,
  ]);
  return [
    ...options,
    `-Djavax.net.ssl.trustStore=${quoted(trusted)}`,
    `-Djavax.net.ssl.trustStorePassword=${password}`,
  ].join(' ');
}

/** Spaces in quotes are part of an option. A quote itself is put into quotes of the other kind. */
const quoted = (path: string): string => `"${path.replaceAll('"', `"'"'"`)}"`;

/**
 * Writes certificates in the form that every Java reads (JKS): Java does not read PEM as a list of trusted
 * certificates.
 * @param pem any number of certificates
 * @param now epoch milliseconds
 */
export function toTrustStore(pem: string, now: number): Buffer {
  const found = pem.matchAll(/-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g);
  const certificates = [...new Set([...found].map(([, base64 = '']) => base64.replaceAll(/\s/g, '')))];
  const entries = certificates.map((base64, at) => {
    const certificate = Buffer.from(base64, 'base64');
    return [
      number(trustedCertificate),
      text(`sandpiper-${at}`),
      time(now),
      text('X.509'),
      number(certificate.length),
      certificate,
    ];
  });
  const store = Buffer.concat([number(0xfeedfeed), number(2), number(certificates.length), ...entries.flat()]);
  const digest = createHash('sha1')
    .update(Buffer.from(password, 'utf16le').swap16())
    .update('Mighty Aphrodite')
    .update(store);
  return Buffer.concat([store, digest.digest()]);
}

const trustedCertificate = 2;

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function time(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
