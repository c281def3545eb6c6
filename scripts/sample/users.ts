import { searchText, sortKey } from "../../src/db/search.ts"
import { hashPassword } from "../../src/lib/crypto/password.ts"
import { PASSWORD } from "../lib/client.ts"
import { type Academy, ADMIN, DAY, TEACHER } from "./academy.ts"

/** The accounts to sign in with, and their roles. */
export const ACCOUNTS = {
  "owner@example.com": "owner",
  "admin@example.com": "admin",
  "staff@example.com": "staff",
  "group@example.com": "group admin of Evening class",
  "portal@example.com": "portal admin of Northwind Academy",
  "learner@example.com": "learner",
}

const OWNER = { firstName: "Amara", lastName: "Okafor", email: "owner@example.com" }

const TEAM = [
  { firstName: "Henrik", lastName: "Lindqvist", email: ADMIN, userType: "admin" },
  { firstName: "Mei", lastName: "Tanaka", email: "staff@example.com", userType: "staff" },
  { firstName: "Tomás", lastName: "Herrera", email: TEACHER, userType: "staff" },
  { firstName: "Priya", lastName: "Raman", email: "group@example.com", userType: "group_admin" },
  { firstName: "Oliver", lastName: "Bennett", email: "portal@example.com", userType: "portal_admin" },
]

/** The first is learner@example.com; the others have an address of their name. */
const LEARNERS = [
  "Lucía García",
  "Adaeze Nwosu",
  "Jonas Becker",
  "Yuki Sato",
  "Fatima Al-Sayed",
  "Chloé Lefèvre",
  "Mateo Rossi",
  "Anika Sharma",
  "Liam O'Connor",
  "Zeynep Yılmaz",
  "Nikolai Petrov",
  "Ingrid Solberg",
  "Kwame Mensah",
  "Sofia Papadopoulou",
  "Minh Nguyễn",
  "Wei Chen",
  "Hana Kim",
  "Rafael Almeida",
  "Elif Demir",
  "Pieter de Vries",
  "Aisha Bello",
  "Jakub Nowak",
  "Emma Johansson",
  "Diego Fernández",
  "Noor Haddad",
  "Thabo Dlamini",
  "Katarzyna Wójcik",
  "Arjun Patel",
  "Maja Horvat",
  "Samuel Tesfaye",
  "Linh Trần",
  "Giulia Conti",
  "Omar Benali",
  "Freya Nielsen",
  "Ravi Perera",
  "Leilani Kealoha",
  "Bogdan Ionescu",
  "Siobhán Murphy",
  "Tariq Aziz",
  "Ana Kovačević",
]

/** Who is created over the API. */
const WELCOMED = "learner@example.com"

const CATEGORIES = ["Full-time", "Part-time", "Scholarship", "Company"]

const address = (name: string) =>
  `${name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ı", "i")
    .toLowerCase()
    .replace(/[^a-z ]/g, "")
    .trim()
    .replaceAll(" ", ".")}@learners.example.com`

interface Person {
  firstName: string
  lastName: string
  email: string
  userType: string
  userCategory: number[]
}

const create = (academy: Academy, person: Person) =>
  academy.create("/api/user/create", person.email, {
    ...person,
    password: PASSWORD,
    password_confirmation: PASSWORD,
  })

/** Inserted with SQL: no mail is sent, and the shared password is hashed once. */
async function enter(
  academy: Academy,
  person: Omit<Person, "userCategory"> & { userCategory?: number[] },
  hash: string,
) {
  const { firstName, lastName, email, userType, userCategory = [] } = person
  const id = await academy.record("users", "email", {
    first_name: firstName,
    last_name: lastName,
    first_name_key: sortKey(firstName),
    last_name_key: sortKey(lastName),
    email,
    user_type: userType,
    password_hash: hash,
    search_text: searchText(`${firstName} ${lastName}`, email),
    source_id: 3,
    created_at: academy.at - 400 * DAY,
  })
  await academy.sql(
    `insert into user_categories (user_id, category_id)
    select ?, value from json_each(?) where true
    on conflict do nothing`,
    [id, JSON.stringify(userCategory)],
  )
  return id
}

/**
 * SQL creates the users, like the owner of a deployment (`npm run owner`), except one learner who gets an email.
 */
export async function users(academy: Academy) {
  const passwordHash = await hashPassword(PASSWORD)
  const ownerId = await enter(academy, { ...OWNER, userType: "owner" }, passwordHash)
  academy.know(OWNER.email, ownerId)
  for (const person of TEAM) academy.know(person.email, await enter(academy, person, passwordHash))
  await academy.signIn(ADMIN)

  const categoryIds: number[] = []
  for (const name of CATEGORIES)
    categoryIds.push(
      await academy.create("/api/category/create", `user-category-${name}`, {
        category_name: name,
        categoryType: "user",
      }),
    )

  const learners = LEARNERS.map((name, index) => {
    const [firstName = "", ...rest] = name.split(" ")
    const category = categoryIds[index % categoryIds.length]
    return {
      firstName,
      lastName: rest.join(" "),
      email: index === 0 ? WELCOMED : address(name),
      userType: "general",
      // Every seventh is in no category.
      userCategory: category === undefined || index % 7 === 6 ? [] : [category],
    }
  })
  for (const person of learners)
    academy.know(
      person.email,
      person.email === WELCOMED ? await create(academy, person) : await enter(academy, person, passwordHash),
    )

  await academy.put(`/api/user/${academy.userId(address("Nikolai Petrov"))}`, {
    disabled: true,
    internal_note: "Left in spring; asked to keep the certificates.",
  })
  await academy.put(`/api/user/${academy.userId(address("Aisha Bello"))}`, {
    internal_note: "Needs captions on all videos.",
  })
  await date(academy, [...TEAM, ...learners])
}

/** Writes past dates and sources with SQL, because no operation sets them. */
async function date(academy: Academy, people: { email: string }[]) {
  const rows = people.map(({ email }, index) => {
    const joined = academy.at - (360 - index * 8) * DAY - index * 977_000
    // Every sixth has never signed in; the others did in the last three weeks.
    const seen = index % 6 === 5 ? 0 : academy.at - ((index * 37) % 500) * 3_600_000 - 60_000
    return { id: academy.userId(email), joined, seen, source: index % 3 === 0 ? 1 : index % 3 === 1 ? 2 : 3 }
  })
  await academy.sql(
    `update users
    set created_at = row.value ->> 'joined', last_login_at = row.value ->> 'seen', source_id = row.value ->> 'source'
    from json_each(?) as row
    where users.id = row.value ->> 'id'`,
    [JSON.stringify(rows)],
  )
}
