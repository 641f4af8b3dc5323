// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 reads what this adds to Reflect
import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** A certificate authority for one run of `exec`. Its key never leaves the memory of this process. */
export interface Authority {
  /** The authority's certificate as PEM, which the programs of the run trust. */
  readonly certificate: string;
  /** Makes a server certificate for host names. */
  issue(names: readonly string[]): Promise<{ readonly key: string; readonly cert: string }>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const hourMs = 3_600_000;

/**
 * Creates an authority.
 * @param now epoch milliseconds of real time: programs compare certificates with the clock of the machine
 */
export async function createAuthority(now: number): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto as Crypto);
  // A clock that is a little wrong must not make a certificate invalid.
  const validity = { notBefore: new Date(now - 24 * hourMs), notAfter: new Date(now + 7 * 24 * hourMs) };
  const newKeys = (): Promise<CryptoKeyPair> =>
    webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>;
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: toSerial(),
    name: 'CN=Sandpiper (this run only)',
    ...validity,
    keys,
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });

  return {
    certificate: root.toString('pem'),
    async issue(names) {
      const own = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: toSerial(),
        subject: `CN=${names[0]}`,
        issuer: root.subject,
        ...validity,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [
          new x509.BasicConstraintsExtension(false, undefined, true),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value }))),
          await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
          await x509.SubjectKeyIdentifierExtension.create(own.publicKey),
        ],
      });
      const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
      const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.replaceAll(/.{64}/g, '$&\n').trimEnd()}\n-----END PRIVATE KEY-----\n`;
      return { key, cert: `${certificate.toString('pem')}\n${root.toString('pem')}\n` };
    },
  };
}

/** 16 random bytes as a positive number. */
function toSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0] ?? 0) & 0x7f;
  return bytes.toString('hex');
}
