//! Text that is not plain: the page shows it as it came, and what is selected in it is stored at
//! the offsets that the file has.

import { openCopy, settled } from '../support/editor.ts';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account, type Project } from '../support/installation.ts';
import type { Span } from '../support/client.mjs';
import { arrowTo, drag, drawnMarks, rangeOf, shownText, tabTo, text } from '../support/text.ts';

interface Example {
  readonly name: string;
  readonly content: string;
  /** What is dragged over with the mouse: from one word to the end of another. */
  readonly dragged: string;
  /** A single word that the arrow keys lead to. */
  readonly reached: string;
}

const EXAMPLES: readonly Example[] = [
  {
    name: 'emoji',
    content: '🥳 This party 🎉🎉 was great 👍🏽 said Zoë 🇩🇪 twice.',
    dragged: 'great 👍🏽 said',
    reached: 'Zoë',
  },
  {
    name: 'zwj',
    content: 'The 👨‍👩‍👧‍👦 family met 🧑🏽‍🚀 and 🏳️‍🌈 yesterday in Rome.',
    dragged: '🧑🏽‍🚀 and 🏳️‍🌈',
    reached: 'Rome',
  },
  {
    name: 'combining',
    content: 'E\u0301te\u0301 a\u0300 Z\u0323u\u0308rich, man\u0303ana in Lie\u0300ge\u0308.',
    dragged: 'a\u0300 Z\u0323u\u0308rich',
    reached: 'Lie\u0300ge\u0308',
  },
  {
    name: 'hebrew',
    content: 'דויד בן־גוריון נולד בפולין בשנת 1886 ועלה לארץ ישראל.',
    dragged: 'נולד בפולין',
    reached: 'ישראל',
  },
  {
    name: 'arabic',
    content: 'وُلِدَ نجيب محفوظ في القاهرة عام 1911 في مصر.',
    dragged: 'نجيب محفوظ',
    reached: 'القاهرة',
  },
  {
    name: 'mixed',
    content: 'He said שלום עולם to Naguib نجيب محفوظ in Cairo.',
    dragged: 'to Naguib',
    reached: 'Cairo',
  },
  {
    name: 'cjk',
    content: '北京大学在中国。東京は日本の首都です。서울은 한국의 수도이다.',
    dragged: '中国。東',
    reached: '한국의',
  },
  {
    name: 'crlf',
    content: 'First line\r\nSecond 🥳 line\r\n\r\nThird line\rlone return\r\nLast word\r\n',
    dragged: 'Second 🥳 line\r\n\r\nThird',
    reached: 'lone',
  },
  {
    name: 'markup',
    content: 'A <b>bold</b> & "quoted" \u00a0claim&nbsp;by O\u2019Neill </script><!-- end.',
    dragged: 'claim&nbsp;by',
    reached: 'end',
  },
];

/** One labeler marks, the other submits without a mark: every mark is a disagreement. */
let project: Project;

test.beforeAll(async ({ installation }) => {
  project = await installation.project({
    labels: ['THING', 'NAME'],
    files: Object.fromEntries(EXAMPLES.map(({ name, content }) => [`${name}.txt`, content])),
    labelers: ['Uma Unicode', 'Nils Nothing'],
  });
});

for (const { name, content, dragged, reached } of EXAMPLES) {
  test(`${name}: mouse and keyboard mark what the file says`, async ({ people }) => {
    const [uma, nils] = project.labelers as [Account, Account];
    const assignment = await copyOf(uma, project, name);
    const person = await people.signedIn(uma);
    const { page } = person;
    await openCopy(person, assignment);
    expect(await shownText(page)).toBe(content);

    const mouse = rangeOf(content, dragged);
    await drag(page, mouse);
    await page.keyboard.press('1');

    await tabTo(page, text(page));
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Home');
    const keys = rangeOf(content, reached);
    await arrowTo(page, reached);
    await page.keyboard.press('2');
    await settled(page);

    const label = (name: string) => project.labels.get(name) ?? 0;
    const expected: Span[] = [
      { start: mouse[0], end: mouse[1], label: label('THING') },
      { start: keys[0], end: keys[1], label: label('NAME') },
    ];
    expected.sort((a, b) => a.start - b.start);
    expect((await uma.client.open(assignment)).content.spans).toEqual(expected);

    const places = expected.map(({ start, end }) => ({ start, end }));
    const shown = async () =>
      (await drawnMarks(page)).map(({ start, end }) => ({ start, end }));
    expect(await shown()).toEqual(places);
    await openCopy(person, assignment);
    expect(await shownText(page)).toBe(content);
    expect(await shown()).toEqual(places);

    const other = await copyOf(nils, project, name);
    await nils.client.submit(other, (await nils.client.open(other)).content.revision);
    const lines = await project.manager.client.text(
      `/api/v1/projects/${project.id}/disagreements.jsonl`,
    );
    const rows = lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter((row) => row.document === name);
    expect(rows.map(({ start, end, quote }) => ({ start, end, quote }))).toEqual(
      expected.map(({ start, end }) => ({
        start,
        end,
        quote: [...content].slice(start, end).join(''),
      })),
    );
    for (const { start_utf16, end_utf16, quote } of rows) {
      expect(content.slice(start_utf16, end_utf16)).toBe(quote);
    }
  });
}
