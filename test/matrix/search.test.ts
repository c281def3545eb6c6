import { sql } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { foldCase, searchText, sortKey } from "../../src/db/search.ts"
import { db, portal, signedIn } from "../factories/index.ts"
import { type Answer, cost, get, query } from "../helpers/client.ts"

const USERS = 2_000
const SIZE = 10
const FIRST = ["Amina", "Björn", "Chiara", "Σωκράτης", "Esther", "Łukasz"]
const LAST = ["Abebe", "Brandt", "Costa", "Duarte", "Eriksen", "Fischer", "Grant"]
/** The rows that a search may read in addition to its matches: for a page of ten. */
const BESIDE = 1_000

interface Person {
  id: number
  first: string
  last: string
  email: string
}

const textOf = ({ first, last, email }: Person) => searchText(`${first} ${last}`, email)

/** Users with ids from 100; every 500th has the name Quillfeather. */
const people: Person[] = Array.from({ length: USERS }, (_, n) => ({
  id: 100 + n,
  first: `${FIRST[n % FIRST.length]}`,
  last: n % 500 === 250 ? "Quillfeather" : `${LAST[n % LAST.length]}-${n}`,
  email: `${n % 2 ? "Person" : "learner"}${n}@example.com`,
}))

async function academy() {
  const owner = await signedIn("owner", { firstName: "Zz", lastName: "Zz", email: "zz@zz.zz", searchText: "" })
  for (let from = 0; from < USERS; from += 500) {
    const rows = people.slice(from, from + 500).map((person) => ({
      ...person,
      firstKey: sortKey(person.first),
      lastKey: sortKey(person.last),
      text: textOf(person),
    }))
    await db.run(sql`
      insert into users (id, first_name, last_name, first_name_key, last_name_key, email, user_type, search_text,
        created_at)
      select value ->> 'id', value ->> 'first', value ->> 'last', value ->> 'firstKey', value ->> 'lastKey',
        value ->> 'email', 'general', value ->> 'text', (value ->> 'id') * 7919 % 100000
      from json_each(${JSON.stringify(rows)})`)
  }
  const list = (given: object): Promise<Answer> =>
    get(`/api/users/tabularlist${query({ page_size: SIZE, page_number: 1, ...given })}`, { token: owner.token })
  const search = (nameOrEmail: string, given: object = {}) => list({ search_param: { nameOrEmail }, ...given })
  return { owner, list, search }
}

/** The people that a search must find. */
const holding = (term: string) =>
  people.filter(({ first, last, email }) =>
    [`${first} ${last}`, email].some((text) => foldCase(text).includes(foldCase(term))),
  )

const idsOf = ({ body }: Answer): number[] => body.records.map(({ id }: { id: number }) => id)

describe("a search with one to three letters", () => {
  it("counts the results without reading them", async () => {
    const { search } = await academy()
    for (const term of ["e", "q", "ex", "rn", "exa", "qui", "z", "σ", "ς", "Ł"]) {
      const expected = holding(term).length
      const answer = await search(term)
      expect(answer.body.recordsFiltered, term).toBe(expected)
      expect(cost(answer).roundTrips).toBe(1)
      expect(cost(answer).read, term).toBeLessThan(BESIDE)
    }
  })

  it("counts exactly after names changed and users were deleted", async () => {
    const { search } = await academy()
    await db.run(sql`update users set search_text = ${searchText("Ada Byron", "ada@uni.ac")} where id % 3 = 0`)
    await db.run(sql`delete from users where id % 5 = 0 and id >= 100`)
    await db.run(sql`update users set search_text = ${searchText("Ida Byron", "ida@uni.ac")} where id % 7 = 0`)
    for (const term of ["e", "y", "ex", "by", "exa", "byr", "uni"]) {
      const [kept] = await db.all<{ count: number }>(
        sql`select count(*) as count from users where id >= 100 and instr(search_text, ${term})`,
      )
      expect((await search(term)).body.recordsFiltered, term).toBe(kept?.count)
    }
  })
})

describe("a search with more letters", () => {
  it("reads at most one row per result, plus a page", async () => {
    const { search } = await academy()
    for (const term of ["example", "person", "brandt", "quillf", "nobody"]) {
      const expected = holding(term).length
      const answer = await search(term)
      expect(answer.body.recordsFiltered, term).toBe(expected)
      expect(cost(answer).read, term).toBeLessThan(expected + BESIDE)
    }
  })
})

describe("a search in any order", () => {
  it("finds each result once, by page number and by cursor", async () => {
    const { search } = await academy()
    const orders = ["created_at", "email", "avatar"]
    for (const colName of orders)
      for (const direction of ["asc", "desc"])
        for (const term of ["exa", "brandt", "quill"]) {
          const given = { order_by: { colName, direction }, page_size: 200 }
          const expected = holding(term).map(({ id }) => id)
          const counted: number[] = []
          const followed: number[] = []
          let next: string | undefined
          for (let page_number = 1; counted.length < expected.length && page_number < 12; page_number++) {
            counted.push(...idsOf(await search(term, { ...given, page_number })))
            const answer = next ? await get(next) : await search(term, given)
            followed.push(...idsOf(answer))
            next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1]
          }
          const what = `${term} by ${colName}, ${direction}`
          expect(followed, what).toEqual(counted)
          expect(
            [...counted].sort((a, b) => a - b),
            what,
          ).toEqual(expected)
        }
  })

  it("sorts results that are adjacent at the end of the order", async () => {
    const { search } = await academy()
    const given = { order_by: { colName: "last_name", direction: "asc" } }
    const grants = holding("grant").map(({ id }) => id)
    const answer = await search("grant", given)
    expect(answer.body.recordsFiltered).toBe(grants.length)
    const byName = (id: number) => sortKey(people[id - 100]?.last ?? "")
    const sorted = [...grants].sort((a, b) => (byName(a) < byName(b) ? -1 : 1))
    expect(idsOf(answer)).toEqual(sorted.slice(0, SIZE))
    expect(cost(answer).read).toBeLessThan(4 * grants.length + BESIDE)
  })

  it("starts from the search if there are many members, and from the members if there are few", async () => {
    const { search } = await academy()
    const few = people.slice(0, 20).map(({ id }) => id)
    const many = people.slice(0, 1_500).map(({ id }) => id)
    for (const [members, most] of [
      [few, 400],
      [many, 3 * 1_500 + BESIDE],
    ] as const) {
      const { id: portalId } = await portal()
      await db.run(sql`
        insert into portal_members (portal_id, user_id, role)
        select ${portalId}, value, 'learner' from json_each(${JSON.stringify(members)})`)
      for (const term of ["e", "exa", "person", "quillf", "brandt"]) {
        const expected = holding(term).filter(({ id }) => members.includes(id))
        const answer = await search(term, { portalId, order_by: { colName: "id", direction: "asc" } })
        expect(answer.body, term).toMatchObject({ recordsTotal: members.length, recordsFiltered: expected.length })
        expect(idsOf(answer), term).toEqual(expected.slice(0, SIZE).map(({ id }) => id))
        expect(cost(answer).read, `${term} of ${members.length}`).toBeLessThan(most)
      }
    }
  })
})

describe("the search text", () => {
  it("is folded like the full-text index folds it, for every letter", async () => {
    const letters = new Set<string>()
    for (let code = 0x20; code < 0x2_0000; code++)
      if (code < 0xd800 || code > 0xdfff) for (const letter of foldCase(String.fromCodePoint(code))) letters.add(letter)
    const all = [...letters]
    for (let from = 0; from < all.length; from += 20_000)
      await db.run(sql`
        insert into badges_search (rowid, text)
        select ${from} + key + 1, '<' || value || '>'
        from json_each(${JSON.stringify(all.slice(from, from + 20_000))})`)
    const [index] = await db.all<{ terms: string }>(sql`select json_group_array(term) as terms from badges_terms`)
    const terms: string[] = JSON.parse(index?.terms ?? "[]")
    expect(new Set(terms)).toEqual(new Set(all.map((letter) => `<${letter}>`)))
  })
})
