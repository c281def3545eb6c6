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
    <main>
      <h1>{`Welcome back, ${person.firstName}`}</h1>
      {announcements.length > 0 && (
        <section aria-labelledby="announcements">
          <h2 id="announcements">Announcements</h2>
          {announcements.map(({ heading, content, createdAt }) => (
            <article class="notice">
              <h3>{heading}</h3>
              <p>{displayDate(createdAt)}</p>
              <div dangerouslySetInnerHTML={{ __html: content }} />
            </article>
          ))}
        </section>
      )}
      <section aria-labelledby="courses">
        <h2 id="courses">Courses</h2>
        {courses.length === 0 && <p>You're not enrolled in any courses yet.</p>}
        <ul>
          {courses.map(({ name, slug, status, percent, expiresAt }) => (
            <li>
              <a href={`/course/${slug}`}>{name}</a>
              {`: ${status}, ${percent}% complete`}
              {isExpired(expiresAt) && `, expired on ${displayDate(expiresAt)}`}
              <progress max={100} value={percent} aria-label={`Progress in ${name}`} />
            </li>
          ))}
        </ul>
      </section>
      {classes.length > 0 && (
        <section aria-labelledby="classes">
          <h2 id="classes">Upcoming classes</h2>
          <ul>
            {classes.map(({ courseName, location, timeZone, startAt, endAt }) => (
              <li>
                {`${courseName}: ${displayDateTime(wallTimeOf(startAt, timeZone))} to `}
                {`${displayDateTime(wallTimeOf(endAt, timeZone))} (${timeZone})${location ? `, ${location}` : ""}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      {certificates.length > 0 && (
        <section aria-labelledby="certificates">
          <h2 id="certificates">Certificates</h2>
          <ul>
            {certificates.map(({ id, code, courseName, issuedAt, expiresAt }) => (
              <li>
                <a href={`/certificate/${code}`}>{courseName}</a>
                {`: ${displayDate(issuedAt)}${isExpired(expiresAt) ? ", expired" : ""} `}
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
