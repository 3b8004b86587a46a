//! Labeling by keyboard alone, fast: moving by sentence, growing the selection, repeating a label,
//! labelling all equal strings, jumping to capitals and matches, and the list of all commands.

import { settled, openCopy } from '../support/editor.ts';
import { expect, test } from '../support/fixtures.ts';
import { copyOf, type Account } from '../support/installation.ts';
import { drawnMarks, selected, text } from '../support/text.ts';

const TEXT =
  'Ada met Charles. Then Ada wrote to Mary.\nIn 1843 the notes of Ada were printed, partly.\n' +
  'Mary read them 2 times.';

test('every speed key does what the list of commands says', async ({ people, installation }) => {
  const project = await installation.project({ files: { 'notes.txt': TEXT }, labelers: ['Finn Fast'] });
  const [labeler] = project.labelers as [Account];
  const person = await people.signedIn(labeler);
  const { page } = person;
  await openCopy(person, await copyOf(labeler, project, 'notes'));
  const press = (key: string) => page.keyboard.press(key);
  const marks = async () => (await drawnMarks(page)).map(({ title }) => title);
  const isSelected = (words: string) => expect.poll(() => selected(page)).toBe(words);

  await test.step('by sentence, and growing and shrinking', async () => {
    await text(page).focus();
    await press('Control+Home');
    await press('Control+ArrowRight');
    await isSelected('Then');
    await press('Control+ArrowRight');
    await isSelected('In');
    await press('Control+ArrowLeft');
    await isSelected('Then');
    await press('Control+ArrowUp');
    await isSelected('Then Ada wrote to Mary.');
    await press('Control+ArrowUp');
    await isSelected('Ada met Charles. Then Ada wrote to Mary.');
    await press('Control+ArrowDown');
    await isSelected('Ada met Charles.');
    await press('Control+ArrowDown');
    await isSelected('Ada');
  });

  await test.step('repeat the last label on the next capital without one', async () => {
    await press('2');
    await press('>');
    await isSelected('Charles');
    await press('.');
    expect(await marks()).toEqual(['ORG: Ada', 'ORG: Charles']);
    await press('>');
    await isSelected('Then');
    await press('<');
    await isSelected('Mary');
  });

  await test.step('label all equal strings, previewed, undone in one step', async () => {
    await press('Control+Home');
    await isSelected('Ada');
    await press('Escape');
    await press(']');
    await press('Control+Shift+L');
    const dialog = page.getByRole('dialog', { name: 'Label all equal strings' });
    await expect(dialog).toContainText('2 places with "Ada" will be labelled ORG.');
    await expect(dialog.getByRole('listitem')).toHaveCount(2);
    await expect(dialog.getByRole('listitem').nth(1)).toContainText('the notes of Ada were');
    await press('Enter');
    await expect(dialog).toBeHidden();
    expect(await marks()).toEqual(['ORG: Ada', 'ORG: Charles', 'ORG: Ada', 'ORG: Ada']);
    await press('Control+z');
    expect(await marks()).toEqual(['ORG: Ada', 'ORG: Charles']);
  });

  await test.step('search for a pattern, on from match to match', async () => {
    await press('Control+f');
    const search = page.getByRole('searchbox', { name: 'Search text' });
    await expect(search).toBeFocused();
    await page.keyboard.type('\\d+');
    const bar = page.getByRole('search');
    await expect(bar.getByRole('status')).toHaveText('0 places');
    await bar.getByLabel('Pattern').check();
    await expect(bar.getByRole('status')).toHaveText('2 places');
    await search.focus();
    await press('Enter');
    await isSelected('1843');
    await expect(text(page)).toBeFocused();
    await press('3');
    await press('F3');
    await isSelected('2');
    await press('Shift+F3');
    await isSelected('1843');
    await bar.getByLabel('Without a label').check();
    await expect(bar.getByRole('status')).toHaveText('1 place');
    await search.fill('(');
    await expect(bar.getByRole('status')).toHaveText('Invalid pattern.');
    await search.focus();
    await press('Escape');
    await expect(search).toBeHidden();
    await expect(text(page)).toBeFocused();
  });

  await test.step('the list of commands finds them, shows their keys and runs them', async () => {
    await press('?');
    const dialog = page.getByRole('dialog', { name: 'Commands and shortcuts' });
    const options = dialog.getByRole('option');
    await expect(options.filter({ hasText: 'Repeat the last label' })).toContainText('.');
    const all = await options.count();
    expect(all).toBeGreaterThan(30);
    await press('Escape');
    await expect(dialog).toBeHidden();

    const before = await marks();
    await press('?');
    await expect(dialog.getByRole('combobox', { name: 'Find a command' })).toBeFocused();
    await page.keyboard.type('undo');
    await expect(options).toHaveCount(1);
    await press('Enter');
    await expect(dialog).toBeHidden();
    await expect.poll(marks).not.toEqual(before);
    await expect(text(page)).toBeFocused();

    // Escape closes it also where something has been typed, and nothing behind it hears a key.
    await press('?');
    await page.keyboard.type('sent');
    await dialog.getByRole('button', { name: 'Close' }).focus();
    await press('Control+f');
    await expect(page.getByRole('search')).toBeHidden();
    await dialog.getByRole('combobox').focus();
    await press('Escape');
    await expect(dialog).toBeHidden();
    await expect(text(page)).toBeFocused();
  });
  await settled(page);
});
