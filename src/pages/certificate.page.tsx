import { now } from "../lib/clock.ts"
import { dateOrNever, displayDate } from "../lib/text/dates.ts"
import { fullName } from "../lib/text/words.ts"
import { Layout, useFrame } from "./page.tsx"

interface Certificate {
  /** The name of the learner's portal; null: the learner has none, so the academy is shown. */
  site: string | null
  code: string
  firstName: string
  lastName: string
  courseName: string
  instructorName: string
  /** Epoch milliseconds. 0: no expiry, or not revoked. */
  issuedAt: number
  expiresAt: number
  revokedAt: number
}

/** The status of a certificate, and its explanation. */
function certificateStatus({ expiresAt, revokedAt }: Certificate) {
  if (revokedAt > 0) return { status: "Revoked", text: `This certificate was revoked on ${displayDate(revokedAt)}.` }
  if (expiresAt > 0 && expiresAt <= now())
    return { status: "Expired", text: `This certificate expired on ${displayDate(expiresAt)}.` }
  return { status: "Valid", text: "This certificate is valid." }
}

/** The public page behind a certificate's QR code. */
export const CertificatePage = ({ certificate }: { certificate: Certificate }) => {
  const { status, text } = certificateStatus(certificate)
  const { site: academy, start } = useFrame()
  return (
    <Layout title={`Certificate: ${status}`} site={certificate.site}>
      <main>
        <h1>{`Certificate: ${status}`}</h1>
        <p class={status === "Valid" ? "notice" : "error"}>{text}</p>
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
      <p class="error">No certificate has this code. Check it against the code on the certificate.</p>
    </main>
  </Layout>
)
