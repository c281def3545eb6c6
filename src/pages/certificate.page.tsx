import { now } from "../lib/clock.ts"
import { dateOrNever, displayDate } from "../lib/text/dates.ts"
import { fullName } from "../lib/text/words.ts"
import { Layout, useFrame } from "./page.tsx"

interface Certificate {
  /** The name of the learner's portal; null: they belong to none, and the academy issued it. */
  site: string | null
  code: string
  firstName: string
  lastName: string
  courseName: string
  instructorName: string
  /** Epoch milliseconds; 0 for an expiry or a revocation that there is not. */
  issuedAt: number
  expiresAt: number
  revokedAt: number
}

/** What a certificate's standing is called, and what it means. */
function standing({ expiresAt, revokedAt }: Certificate) {
  if (revokedAt > 0)
    return { word: "Revoked", text: `It was taken back on ${displayDate(revokedAt)} and holds no more.` }
  if (expiresAt > 0 && expiresAt <= now())
    return { word: "Expired", text: `It was valid until ${displayDate(expiresAt)}.` }
  return { word: "Valid", text: "It was issued here and holds." }
}

/** What whoever scans a certificate's QR code wants to know. */
export const CertificatePage = ({ certificate }: { certificate: Certificate }) => {
  const { word, text } = standing(certificate)
  const { site: academy, start } = useFrame()
  return (
    <Layout title={`Certificate: ${word}`} site={certificate.site}>
      <main>
        <h1>{`Certificate: ${word}`}</h1>
        <p class={word === "Valid" ? "notice" : "error"}>{text}</p>
        <dl>
          <dt>Awarded to</dt>
          <dd>{fullName(certificate)}</dd>
          <dt>Course</dt>
          <dd>{certificate.courseName}</dd>
          {certificate.instructorName && (
            <>
              <dt>Instructor</dt>
              <dd>{certificate.instructorName}</dd>
            </>
          )}
          <dt>Issued by</dt>
          <dd>
            <a href={start}>{certificate.site ?? academy}</a>
          </dd>
          <dt>Issued</dt>
          <dd>{displayDate(certificate.issuedAt)}</dd>
          <dt>Expires</dt>
          <dd>{dateOrNever(certificate.expiresAt)}</dd>
          <dt>Code</dt>
          <dd>{certificate.code.match(/.{1,6}/g)?.join("-")}</dd>
        </dl>
      </main>
    </Layout>
  )
}

export const UnknownCertificatePage = () => (
  <Layout title="Unknown certificate">
    <main>
      <h1>Unknown certificate</h1>
      <p class="error">No certificate has this code. Compare it with the one on the certificate.</p>
    </main>
  </Layout>
)
