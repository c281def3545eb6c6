import { now } from "../lib/clock.ts"
import { dateOrNever, displayDate } from "../lib/text/dates.ts"
import { fullName, groupCharacters } from "../lib/text/words.ts"
import { Layout, useFrame } from "./page.tsx"

interface Certificate {
  /** The name of the learner's portal; null: the learner has none, so the academy is shown. */
  site: string | null
  code: string
  /** Of this page. */
  url: string
  firstName: string
  lastName: string
  courseName: string
  instructorName: string
  /** Epoch milliseconds. 0: no expiry, or not revoked. */
  issuedAt: number
  expiresAt: number
  revokedAt: number
  /** The size of the template in pixels, and whether it has an image behind its texts. */
  width: number
  height: number
  hasBackground: boolean
  /** Whether the visitor is its holder. */
  isOwn: boolean
}

/** The status of a certificate, and its explanation. */
function certificateStatus({ expiresAt, revokedAt }: Certificate) {
  if (revokedAt > 0) return { status: "Revoked", text: `This certificate was revoked on ${displayDate(revokedAt)}.` }
  if (expiresAt > 0 && expiresAt <= now())
    return { status: "Expired", text: `This certificate expired on ${displayDate(expiresAt)}.` }
  return { status: "Valid", text: "This certificate is valid." }
}

/** The certificate as it is printed. The background is an image of its own, because browsers load none for an SVG. */
const Picture = ({ certificate }: { certificate: Certificate }) => {
  const { code, width, height, hasBackground, courseName } = certificate
  return (
    <div class="sheet">
      {hasBackground && (
        <img class="background" src={`/certificate/${code}/background`} alt="" width={width} height={height} />
      )}
      <img
        src={`/certificate/${code}/picture`}
        alt={`Certificate of ${fullName(certificate)} for ${courseName}`}
        width={width}
        height={height}
      />
    </div>
  )
}

const LINKEDIN = "https://www.linkedin.com"

/** Adds a certificate to a profile: LinkedIn's documented parameters. */
function profileUrl({ courseName, issuedAt, expiresAt, url, code }: Certificate, issuer: string): string {
  const monthOf = (kind: string, at: number) => {
    const date = new Date(at)
    return { [`${kind}Year`]: String(date.getUTCFullYear()), [`${kind}Month`]: String(date.getUTCMonth() + 1) }
  }
  const query = new URLSearchParams({
    startTask: "CERTIFICATION_NAME",
    name: courseName,
    organizationName: issuer,
    ...monthOf("issue", issuedAt),
    ...(expiresAt > 0 && monthOf("expiration", expiresAt)),
    certUrl: url,
    certId: code,
  })
  return `${LINKEDIN}/profile/add?${query}`
}

const Actions = ({ certificate, issuer }: { certificate: Certificate; issuer: string }) => {
  const { url, code, isOwn } = certificate
  return (
    <>
      <p class="actions">
        <a class="button" href={`/certificate/${code}/download`} download>
          Download PDF
        </a>
        <button class="quiet" type="button" data-copy={url} data-copied="Link copied" hidden>
          Copy link
        </button>
        {isOwn ? (
          <a class="button quiet" href={profileUrl(certificate, issuer)} rel="noreferrer">
            Add to LinkedIn profile
          </a>
        ) : (
          <a
            class="button quiet"
            href={`${LINKEDIN}/sharing/share-offsite/?url=${encodeURIComponent(url)}`}
            rel="noreferrer"
          >
            Share on LinkedIn
          </a>
        )}
        <span role="status" />
      </p>
      <script type="module" src="/assets/pages.js" />
    </>
  )
}

/** The public page behind a certificate's QR code. */
export const CertificatePage = ({ certificate }: { certificate: Certificate }) => {
  const { status, text } = certificateStatus(certificate)
  const { site: academy, start } = useFrame()
  const issuer = certificate.site ?? academy
  const isRevoked = certificate.revokedAt > 0
  return (
    <Layout title={`Certificate: ${status}`} site={certificate.site}>
      <main class="wide">
        <h1>{`Certificate: ${status}`}</h1>
        <div class="certificate">
          {!isRevoked && <Picture certificate={certificate} />}
          <div class="card">
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
                <a href={start}>{issuer}</a>
              </dd>
              <dt>Issued</dt>
              <dd>{displayDate(certificate.issuedAt)}</dd>
              <dt>Expires</dt>
              <dd>{dateOrNever(certificate.expiresAt)}</dd>
              <dt>Code</dt>
              <dd>{groupCharacters(certificate.code, 6)}</dd>
            </dl>
            {!isRevoked && <Actions certificate={certificate} issuer={issuer} />}
          </div>
        </div>
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
