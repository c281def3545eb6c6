import { now } from "../lib/clock.ts"
import { displayDate, displayDateTime } from "../lib/text/dates.ts"
import { wallTimeOf } from "../lib/text/zones.ts"
import { Layout } from "./page.tsx"

/** Times in epoch milliseconds. `expiresAt` 0: no expiry. */
interface Home {
  person: { firstName: string; site: string | null }
  courses: { name: string; slug: string; status: string; percent: number; expiresAt: number }[]
  certificates: { id: number; code: string; courseName: string; issuedAt: number; expiresAt: number }[]
  classes: { courseName: string; location: string | null; timeZone: string; startAt: number; endAt: number }[]
  /** `content` is HTML, sanitized when it was stored. */
  announcements: { heading: string; content: string; createdAt: number }[]
}

const isExpired = (expiresAt: number) => expiresAt > 0 && expiresAt <= now()

/** A learner's page: announcements, courses, classes and certificates. */
export const HomePage = ({ person, courses, certificates, classes, announcements }: Home) => (
  <Layout title="My learning" site={person.site}>
    <main class="wide">
      <h1>{`Welcome back, ${person.firstName}`}</h1>
      {announcements.length > 0 && (
        <section aria-labelledby="announcements">
          <h2 id="announcements">Announcements</h2>
          {announcements.map(({ heading, content, createdAt }) => (
            <article class="card">
              <h3>{heading}</h3>
              <p class="quiet">{displayDate(createdAt)}</p>
              <div dangerouslySetInnerHTML={{ __html: content }} />
            </article>
          ))}
        </section>
      )}
      <section class="card" aria-labelledby="courses">
        <h2 id="courses">Courses</h2>
        {courses.length === 0 && <p class="quiet">You're not enrolled in any courses yet.</p>}
        <ul class="rows">
          {courses.map(({ name, slug, status, percent, expiresAt }) => (
            <li>
              <a href={`/course/${slug}`}>{name}</a>
              <span>
                {`${status}, ${percent}% complete`}
                {isExpired(expiresAt) && `, expired on ${displayDate(expiresAt)}`}
              </span>
              <progress max={100} value={percent} aria-label={`Progress in ${name}`} />
            </li>
          ))}
        </ul>
      </section>
      {classes.length > 0 && (
        <section class="card" aria-labelledby="classes">
          <h2 id="classes">Upcoming classes</h2>
          <ul class="rows">
            {classes.map(({ courseName, location, timeZone, startAt, endAt }) => (
              <li>
                <span dir="auto">{courseName}</span>
                <span>
                  {`${displayDateTime(wallTimeOf(startAt, timeZone))} to `}
                  {`${displayDateTime(wallTimeOf(endAt, timeZone))} (${timeZone})${location ? `, ${location}` : ""}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {certificates.length > 0 && (
        <section class="card" aria-labelledby="certificates">
          <h2 id="certificates">Certificates</h2>
          <ul class="rows">
            {certificates.map(({ id, code, courseName, issuedAt, expiresAt }) => (
              <li>
                <a href={`/certificate/${code}`}>{courseName}</a>
                <span>{`${displayDate(issuedAt)}${isExpired(expiresAt) ? ", expired" : ""}`}</span>
                <a
                  href={`/api/user-certificate/${id}/download`}
                  aria-label={`Download the certificate for ${courseName}`}
                >
                  Download
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  </Layout>
)
