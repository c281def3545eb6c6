import { displayDate } from "../lib/text/dates.ts"
import { groupCharacters } from "../lib/text/words.ts"
import { Layout } from "./page.tsx"

interface TranscriptCourse {
  courseName: string
  cycles: { cycle: number; status: string; completedAt: string | null; certificate: { code: string } | null }[]
}

interface IssuedTranscript {
  code: string
  issuedAt: number
  digest: string
  /** Whether the stored content has the digest that was issued. */
  isGenuine: boolean
  transcript: { name: string; academy: string; courses: TranscriptCourse[] }
}

const dateOf = (iso: string | null) => (iso ? displayDate(Date.parse(iso)) : "")

/** The public page behind a transcript's QR code. */
export const TranscriptPage = ({ issued }: { issued: IssuedTranscript }) => {
  const { transcript, isGenuine } = issued
  const status = isGenuine ? "Genuine" : "Not genuine"
  return (
    <Layout title={`Transcript: ${status}`} site={transcript.academy}>
      <main class="wide">
        <h1>{`Transcript: ${status}`}</h1>
        <p class={isGenuine ? "notice" : "error"}>
          {isGenuine
            ? "This transcript was issued with the records below. Compare them with the document."
            : "The stored records are not those that were issued."}
        </p>
        <dl class="card">
          <dt>Name</dt>
          <dd>{transcript.name}</dd>
          <dt>Issued by</dt>
          <dd>{transcript.academy}</dd>
          <dt>Issued</dt>
          <dd>{displayDate(issued.issuedAt)}</dd>
          <dt>Code</dt>
          <dd>{groupCharacters(issued.code, 6)}</dd>
          <dt>SHA-256</dt>
          <dd>{issued.digest}</dd>
        </dl>
        <table class="records">
          <thead>
            <tr>
              <th>Course</th>
              <th>Cycle</th>
              <th>Status</th>
              <th>Completed</th>
              <th>Certificate</th>
            </tr>
          </thead>
          <tbody>
            {transcript.courses.flatMap(({ courseName, cycles }) =>
              cycles.map(({ cycle, status, completedAt, certificate }) => (
                <tr>
                  <td>{courseName}</td>
                  <td data-title="Cycle">{cycle}</td>
                  <td data-title="Status">{status}</td>
                  <td data-title="Completed">{dateOf(completedAt)}</td>
                  <td data-title="Certificate">
                    {certificate && <a href={`/certificate/${certificate.code}`}>Verify</a>}
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </main>
    </Layout>
  )
}

export const UnknownTranscriptPage = () => (
  <Layout title="Unknown transcript">
    <main>
      <h1>Unknown transcript</h1>
      <p class="error">No transcript has this code. Check it against the code on the transcript.</p>
    </main>
  </Layout>
)
